/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For what threads waited within calls, in which system call and where in the program and in the kernel, who held the lock that
 * they waited for, and who woke them: exact sums by function, cause, waker, system call, file, lock, holder and stacks.
 *
 * Loaded only where that is asked for.  A wait is counted as it ends, for each call that its thread is in then.  The
 * program comes before the one of switches.bpf.h at the same tracepoint, so that it sees when the thread left and was
 * woken, which that one then adds to its counters: both count the same time.  What that one rebuilds, as a
 * switch was not reported, is not counted here.
 */
#ifndef KVIEW_WAITS_BPF_H
#define KVIEW_WAITS_BPF_H

#include "interrupts.bpf.h"
#include "mechanism/bpf/waits.h"
#include "wait-begins.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct xp_wait_key);
	__type(value, struct xp_wait);
} waits SEC(".maps");

/* Whether to ask where they waited.  Set before load. */
volatile const bool with_wait_stacks;

/* By its number, which is made of the addresses: threads on all CPUs find the same. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, struct xp_wait_stack);
} wait_stacks SEC(".maps");

/* Where one is read: too large for the programs' own stack. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct xp_wait_stack);
} read_stacks SEC(".maps");

/* Those that found no place there, by function * XP_CAUSES + cause. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct xp_wait);
} other_waits SEC(".maps");

#if defined(__TARGET_ARCH_x86)
#define PF_KTHREAD	0x00200000
/* No stack of the kernel's is longer; behind one's end no interrupt's begins. */
#define STACK_BYTES	32768

/*
 * Whether the one that runs now does not wake on behalf of this task.  preempt_count would tell, but not all kernels
 * name its address.  What interrupts do, and what they have put off, is on a stack of its own; but for an
 * interrupt of user code, which is in no system call.  That may also be an exception.
 */
static __always_inline bool wakes_for_nobody(struct task_struct *task)
{
	u64 here = 0, stack = (u64)task->stack;
	void *at = &here;

	/* The verifier lets nobody count with the address of a stack, but read it as a number. */
	bpf_probe_read_kernel(&here, sizeof(here), &at);
	if (here - stack >= STACK_BYTES)
		return true;
	return !(task->flags & PF_KTHREAD) && REGS_SYSCALL((struct pt_regs *)bpf_task_pt_regs(task)) < 0;
}
#else
static __always_inline bool wakes_for_nobody(struct task_struct *task)
{
	return is_in_interrupt(task);
}
#endif

static __always_inline void waker__note(struct waker *waker)
{
	u64 ids = bpf_get_current_pid_tgid();

	/* A CPU that idles wakes nobody by itself. */
	if (!(u32)ids || wakes_for_nobody(bpf_get_current_task_btf())) {
		waker->kind = XP_WAKER_INTERRUPT;
		return;
	}
	waker->tid = ids;
	waker->pid = ids >> 32;
	bpf_get_current_comm(waker->name, sizeof(waker->name));
	waker->kind = XP_WAKER_THREAD;
}

/* On the waker's CPU: sched_wakeup may come on another one.  Nobody reads it before the thread runs again. */
SEC("tp_btf/sched_waking")
int BPF_PROG(wait_waker, struct task_struct *task)
{
	struct thread *t;
	u64 *mark;

	if (!task__may_have_begun(task))
		return 0;
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!t)
		return 0;
	mark = program__begins();
	waker__note(&t->waker);
	program__ends(mark);
	return 0;
}

/* A wait that ends, on its way through the calls that its thread is in. */
struct wait_walk {
	struct thread *t;
	u64 ns;
	struct xp_wait_key key;
};

static __always_inline struct xp_wait *wait__other(const struct xp_wait_key *key)
{
	u32 index = key->function * XP_CAUSES + key->cause - XP_FIRST_CAUSE;

	return bpf_map_lookup_elem(&other_waits, &index);
}

static __always_inline void wait_key__set_holder(struct xp_wait_key *key, const struct holder *holder)
{
	key->holder = XP_HOLDER_UNKNOWN;
	key->holder_tid = key->holder_pid = 0;
	key->holder_function = 0;
	__builtin_memset(key->holder_name, 0, sizeof(key->holder_name));
	if (!holder)
		return;
	key->holder = holder->kind;
	key->holder_tid = holder->tid;
	key->holder_pid = holder->pid;
	key->holder_function = holder->function;
	__builtin_memcpy(key->holder_name, holder->name, sizeof(key->holder_name));
}

/* Nothing is ever taken out of it, and to find no room takes a search on all CPUs. */
bool waits_full;
/* How many of them are told by their files: with too many of those there would be no room to tell of locks and wakers. */
__u32 nr_file_waits;

/* Likewise those by their places in the program. */
__u32 nr_user_stack_waits;

static __always_inline struct xp_wait *wait__of(struct xp_wait_key *key)
{
	struct xp_wait *wait = bpf_map_lookup_elem(&waits, key), none = { 0 };

	if (wait)
		return wait;
	if (key->user_stack > XP_STACK_NO_ROOM) {
		if (READ_ONCE(nr_user_stack_waits) < XP_USER_STACK_WAITS) {
			__sync_fetch_and_add(&nr_user_stack_waits, 1);
		} else {
			key->user_stack = XP_STACK_NO_ROOM;
			/* Nothing would prove it. */
			if (key->holder != XP_HOLDER_PI)
				wait_key__set_holder(key, NULL);
			wait = bpf_map_lookup_elem(&waits, key);
			if (wait)
				return wait;
		}
	}
	if (key->file > XP_FILE_NO_ROOM) {
		if (READ_ONCE(nr_file_waits) < XP_FILE_WAITS) {
			__sync_fetch_and_add(&nr_file_waits, 1);
		} else {
			key->file = XP_FILE_NO_ROOM;
			wait = bpf_map_lookup_elem(&waits, key);
			if (wait)
				return wait;
		}
	}
	if (READ_ONCE(waits_full))
		return wait__other(key);
	/* Another CPU may be faster, or there is no room. */
	if (bpf_map_update_elem(&waits, key, &none, BPF_NOEXIST) == -E2BIG)
		WRITE_ONCE(waits_full, true);
	wait = bpf_map_lookup_elem(&waits, key);
	return wait ? wait : wait__other(key);
}

/* Of each function anew: where there was no room for one, there may be some for the next. */
static __always_inline void wait_walk__begin_call(struct wait_walk *w, u16 function)
{
	struct xp_wait_key *key = &w->key;

	key->function = function;
	key->file = w->t->wait_file;
	key->user_stack = w->t->wait_user_stack;
	wait_key__set_holder(key, w->t->holder.kind ? &w->t->holder : NULL);
}

static long wait__of_call(u32 round, void *context)
{
	struct wait_walk *w = context;
	struct xp_wait *wait;
	struct frame *f;

	if (round >= w->t->depth)
		return 1;
	f = frame__at(w->t, round);
	/* Without probes nobody sees when its call ends. */
	if (f->function == FRAME_HOLE || function__is_off(f->function) || frame__link_is_gone(f))
		return 0;
	/* Of those that are not decided yet nothing is told here, as it could not be taken back. */
	if (has_conditions && f->flags & (FRAME_DIFFERS | FRAME_UNDECIDED))
		return 0;
	wait_walk__begin_call(w, f->function);
	wait = wait__of(&w->key);
	if (!wait)
		return 0;
	__sync_fetch_and_add(&wait->ns, w->ns);
	__sync_fetch_and_add(&wait->count, 1);
	return 0;
}

bool wait_stacks_full;

/*
 * Of a thread that comes to its CPU, so the stack is still as it was while the thread waited.  That two stacks have one
 * number is possible, but with 64 bits and so few of them it is not met.
 */
static __always_inline u64 wait_stack__of(struct task_struct *task)
{
	u64 number = 0xcbf29ce484222325ULL;
	struct xp_wait_stack *stack;
	u32 zero = 0, i;

	if (!with_wait_stacks)
		return XP_STACK_UNKNOWN;
	stack = bpf_map_lookup_elem(&read_stacks, &zero);
	/* What it does not fill is 0 afterwards. */
	if (!stack || bpf_get_task_stack(task, stack->frames, sizeof(stack->frames), 0) <= 0)
		return XP_STACK_UNKNOWN;
	for (i = 0; i < XP_WAIT_FRAMES && stack->frames[i]; i++) {
		number = (number ^ stack->frames[i]) * 0x9e3779b97f4a7c15ULL;
		number ^= number >> 32;
	}
	if (number <= XP_STACK_NO_ROOM)
		number = ~number;
	if (bpf_map_lookup_elem(&wait_stacks, &number))
		return number;
	if (READ_ONCE(wait_stacks_full))
		return XP_STACK_NO_ROOM;
	if (bpf_map_update_elem(&wait_stacks, &number, stack, BPF_NOEXIST) == -E2BIG)
		WRITE_ONCE(wait_stacks_full, true);
	return bpf_map_lookup_elem(&wait_stacks, &number) ? number : XP_STACK_NO_ROOM;
}

/*
 * By which the wait began: where a requeue moved it, its own call does not say where to.  0: none, or several (futex_waitv), of
 * which nobody knows here which one ends it.
 */
static __always_inline u64 futex__of(struct task_struct *task)
{
	const struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	long nr = REGS_SYSCALL(regs);

	return nr == NR_FUTEX || nr == NR_FUTEX_WAIT ? REGS_ARGUMENT(regs) : 0;
}

static __always_inline void thread__has_waited(struct thread *t, struct task_struct *task)
{
	u64 out = t->out_ns, wake = READ_ONCE(t->wake_ns), now = bpf_ktime_get_ns();
	struct wait_walk w = { .t = t };
	u8 cause = t->out_cause;

	/* Who lost its CPU did not wait for anyone.  Else a switch was not reported, if there is no time or it ran since. */
	if (!out || out > now || cause < XP_FIRST_CAUSE || cause >= XP_METRICS || cause == XP_PREEMPTED ||
	    cause == XP_THROTTLED || task->se.sum_exec_runtime != t->exec_at_out_ns)
		return;
	w.key.cause = cause;
	if (wake < out || wake > now) {
		wake = now;
	} else {
		w.key.waker = t->waker.kind;
		if (t->waker.kind == XP_WAKER_THREAD) {
			w.key.waker_tid = t->waker.tid;
			w.key.waker_pid = t->waker.pid;
			__builtin_memcpy(w.key.waker_name, t->waker.name, sizeof(w.key.waker_name));
		}
	}
	w.ns = wake - out;
	if (cause == XP_LOCK)
		w.key.lock = futex__of(task);
	w.key.stack = wait_stack__of(task);
	w.key.syscall = t->wait_syscall;
	bpf_loop(XP_DEPTH, wait__of_call, &w, 0);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(wait_ends, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct thread *t;
	u64 *mark;

	if (!task__may_have_begun(next))
		return 0;
	t = bpf_task_storage_get(&threads, next, NULL, 0);
	if (!t)
		return 0;
	mark = program__begins();
	if (t->depth && is_active())
		thread__has_waited(t, next);
	t->waker.kind = XP_WAKER_UNKNOWN;
	program__ends(mark);
	return 0;
}

#endif
