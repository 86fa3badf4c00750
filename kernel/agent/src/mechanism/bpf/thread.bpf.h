/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of a traced thread, and its time off the CPU.
 *
 * A context switch adds to cumulative counters, whatever the depth of calls; a call's
 * share is what they grew by between its entry and its exit.  A thread without state
 * entered no probed function: the scheduler's eBPF programs return at once.
 *
 * Writers: the thread itself (its probes, and sched_switch while it is prev or next, which
 * then "interrupts" its probes like a signal).  The waker on another CPU writes wake_ns
 * and the waker alone.
 */
#ifndef KVIEW_THREAD_BPF_H
#define KVIEW_THREAD_BPF_H

#include "mechanism/cost/bpf/thread-costs.h"
#include "busy.bpf.h"
#include "scope.bpf.h"

/* Frames of a thread; a power of two.  A mechanism whose calls do not nest defines it before. */
#ifndef XP_DEPTH
#define XP_DEPTH	128
#endif

/* Set before load. */
volatile const bool with_events;
/* Likewise: whether it is told for what threads waited. */
volatile const bool with_waits;

/* Nothing in the process switches stacks, so that stack pointers of a thread can be compared. */
bool one_stack;
/* Set before load: the kernel asks at each entry whether the return address is to be replaced. */
volatile const bool asks_at_entry;
/* enum xp_active */
__u32 active;
/* Set before load: the recording is over at once where the process is given rights. */
volatile const bool stops_at_raise;
/* Set before load: no more threads have state at a time, but for one a CPU; 0: as many as there are. */
volatile const __u32 max_threads;
__u32 nr_threads;
struct xp_counters counters;
int leader_exit_code = -1;
/* Set by the iterator's program: some thread's state could not be had, and the next run may find it. */
bool running_unseen;

/* In out_cause: it waits within a probe, see trap.bpf.h. */
#define OUT_IN_PROBE	0xff
/*
 * In off_ns, beside the causes: that time, which is the probe's and no call's, and the squares of
 * the single waits, in units of 1 024 ns, that say how uncertain it is.  And by how much what was
 * rebuilt of unreported switches may be wrong: of those within a call, and of no earlier ones.
 */
enum { OFF_IN_PROBE = XP_CAUSES, OFF_IN_PROBE_SQUARES, OFF_UNCERTAIN, OFFS };

#define FRAME_HOLE	0xffff		/* ended beneath frames of another stack */
#define FRAME_WAITING	0xfffe		/* to be looked for: any with FRAME_GOES_ON */
#define FRAME_ON_ALT	1		/* its stack is the alternate signal stack */
#define FRAME_URETPROBE	2
#define FRAME_GOES_ON	4		/* it left by a jump, and ends where that goes on */
#define FRAME_STEPPED	8		/* its entry is of XP_ENTRY_STEPPED */
#define FRAME_EDITION_SHIFT	4	/* of FRAME_URETPROBE, see edition.bpf.h: two bits */
#define FRAME_DIFFERS		0x40	/* its condition is not true of it: it is here for its end to be known */
#define FRAME_UNDECIDED		0x80	/* that depends on what it returns */

struct frame {
	u64 sp;
	u64 returns_to;			/* what lay at sp at entry; 0: was not looked at */
	u64 begin_ns;
	u64 overhead_ns;		/* of the thread, at entry */
	u64 uncertain_ns;
	u64 inner_ns;
	u64 steal_ns;			/* of the thread, at entry; not in off_ns */
	u64 generation;			/* that off_ns is of, also once the call has ended */
	u16 function;
	u16 flags;
	u32 open_ns;			/* of the thread, with its own entry */
	u32 open_spread_ns;
	u16 class;			/* what its probes cost, as far as its entry knows */
	u16 test;			/* of FRAME_UNDECIDED: where its condition goes on */
	u64 argument;			/* by which its figures are split, see splits.bpf.h */
	u64 off_ns[OFFS];		/* of the thread, at entry */
};

/* One moment of a thread that runs: the clock, its CPU and its counters belong together. */
struct moment {
	u64 now_ns;
	u64 generation;
	u64 steal_ns;
	u32 cpu;
};

/* A call's times, corrected for the probes' cost: wall = on_cpu + the sum of causes. */
struct times {
	u64 wall_ns;
	u64 on_cpu_ns;
	u64 removed_ns;			/* the probes' own time */
	u64 waited_ns;			/* of that: not on a CPU */
	u64 waited_squares;
	u64 uncertain_ns;
	u64 missing_ns;			/* it was shorter by so much: less removed, more uncertain */
	u64 excess_ns;			/* of causes, more than it took: they were shortened */
	u32 causes;			/* that occurred */
};

/* A call that ends, and what it took. */
struct ending {
	struct moment m;
	struct times times;
	u64 off_ns[OFFS];		/* within the call; where times has causes, else not set */
	u64 ended_ns;			/* where another one's end was its own, else 0 */
	struct moment ended;		/* that moment; set where ended_ns is */
	u64 returned;			/* what is in the register for that, where there are conditions or splits */
	u32 depth;
	u32 returns_unseen;		/* of splits: what it returned is not known */
};

/* That a thread was in a function.  Where two functions have one place, it may be told again. */
struct entered {
	u16 function;			/* + 1; 0: none */
	u16 places;			/* how many frames there were at most, its own with them */
};

/* Who woke it last; set where waits are told, see waits.bpf.h. */
struct waker {
	u32 tid;
	u32 pid;
	u32 kind;			/* enum xp_waker */
	char name[16];
};

/* Who held the lock that it waits for as it began to wait; set where waits are told, see wait-holders.bpf.h. */
struct holder {
	u32 tid;
	u32 pid;
	u16 function;
	u8 kind;			/* enum xp_holder */
	char name[16];
};

/* A switch-out that its own event told while the thread settled the one before; see own-switches.bpf.h. */
struct departure {
	u64 out_ns;			/* 0: none */
	u64 exec_ns;
	u64 delay_ns;
	u64 arrivals;
	u32 cause;
};

struct thread {
	/* As struct xp_thread_costs, to which other mechanisms may add: */
	u64 overhead_ns;		/* what probed calls that ended have cost it, at least */
	u64 uncertain_ns;		/* and how much more that may be */
	/* With these as struct xp_thread_inner, where kernel functions are measured: */
	struct xp_thread_costs for_others;
	u64 in_program;			/* see guard.bpf.h */

	u64 out_ns;			/* 0 while it runs */
	u64 wake_ns;
	u64 exec_at_out_ns;		/* sum_exec_runtime */
	u64 delay_at_out_ns;		/* sched_info.run_delay, where wake-ups are not seen */
	u64 arrivals;			/* sched_info.pcount, where switch-ins are not */
	u64 in_ns;			/* last switch-in, 0 before the first one seen */
	u64 exec_at_in_ns;
	u64 probe_ns;			/* last entry or exit */
	u64 start_at_in_ns;		/* exec_start */
	u64 steal_base_ns;		/* the CPU's steal time at switch-in */
	u64 uncharged_base_ns;		/* and what its scheduler has charged nobody */
	u64 looked_ns;			/* when unseen switches were last looked for */
	u64 generation;			/* + 1 at each switch-out and switch-in */
	u64 inner_ns;			/* what measured calls took that are within no other one */
	u32 open_ns;			/* what the entries of all frames have cost it, modulo 2^32 */
	u32 open_spread_ns;
	u64 overflow_sp;		/* of the outermost call too deep to follow, else 0 */
	u64 highest_sp;			/* at which a call was entered */
	u64 jumped_sp;			/* where a call has just jumped to a probed function, else 0 */
	u32 depth;
	u32 uretprobes;			/* frames that wait for one, as the kernel counts them */
	u32 waiting;			/* frames with FRAME_GOES_ON */
	u32 overflowed;			/* where stacks may be switched: too deep, not yet ended */
	u32 cpu;			/* that these two and start_at_in_ns are of */
	u32 waker_tid;
	u32 tgid;
	u8 out_cause;
	u8 settles;			/* it is in the midst of thread__arrived() */
	u8 known;			/* steal_base_ns is set */
	u8 unordered;			/* some frame has a smaller sp than one outside of it */
	u8 purge_wait;			/* calls too deep until the next purge */
	u8 edition;			/* of the links that count for it */
	u16 syscall;			/* + 1: the last one that it left its CPU in; 0: none */
	u16 wait_syscall;		/* + 1: the one that it is in while it waits; 0: none */
	char waker_comm[16];
	struct xp_thread_costs taken;	/* see inner.bpf.h: of that, what is in this one's own already */
	struct waker waker;
	struct holder holder;
	struct departure later;
	u64 wait_file;			/* see wait-files.bpf.h */
	u64 wait_user_stack;		/* see wait-user-stacks.bpf.h */
	u64 off_ns[OFFS];
	struct ending ending;		/* of the thread's probe: no stack has room for it */
	struct entered entered[XP_ENTERED];
	struct frame frames[XP_DEPTH];
};

_Static_assert(!__builtin_offsetof(struct thread, overhead_ns) &&
	       __builtin_offsetof(struct thread, uncertain_ns) ==
	       __builtin_offsetof(struct xp_thread_costs, uncertain_ns) &&
	       __builtin_offsetof(struct thread, for_others) ==
	       __builtin_offsetof(struct xp_thread_inner, for_others) &&
	       __builtin_offsetof(struct thread, in_program) ==
	       __builtin_offsetof(struct xp_thread_inner, in_program), "others find it there");

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct thread);
} threads SEC(".maps");

static __always_inline bool is_active(void)
{
	return READ_ONCE(active) == XP_ACTIVE;
}

extern void bpf_rcu_read_lock(void) __ksym __weak;
extern void bpf_rcu_read_unlock(void) __ksym __weak;

/*
 * State for a thread that has none yet; NULL: there is no room.  An eBPF program that may sleep must not
 * do so here: while one is at it, no other thread gets state on this CPU.
 */
static __always_inline struct thread *thread__new(struct task_struct *task)
{
	struct thread *t;
	long is_there;

	if (max_threads && READ_ONCE(nr_threads) >= max_threads)
		return NULL;
	is_there = state__is_made(task);
	if (is_there && is_there != -EEXIST)
		return NULL;
	if (asks_at_entry)
		bpf_rcu_read_lock();
	t = bpf_task_storage_get(&threads, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (asks_at_entry)
		bpf_rcu_read_unlock();
	if (!t && !is_there)
		state__is_gone(task);
	else if (t)
		t->tgid = task->tgid;
	if (t && !is_there && max_threads)
		__sync_fetch_and_add(&nr_threads, 1);
	return t;
}

/* It ends, and its state with it. */
static __always_inline void thread__gone(struct task_struct *task)
{
	state__is_gone(task);
	if (max_threads)
		__sync_fetch_and_add(&nr_threads, -1);
}

/* The eBPF programs at the scheduler's tracepoints ignore it from now on. */
static __always_inline void thread__forget(struct task_struct *task)
{
	if (!bpf_task_storage_delete(&threads, task))
		thread__gone(task);
}

#endif
