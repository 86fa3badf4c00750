// SPDX-License-Identifier: GPL-2.0
/*
 * Kernels through 6.1 now and then don't tell a thread's state (busy.bpf.h): what is lost by that is told as lost, and
 * no call is timed by the end of another one.  Such a kernel is played, under the eBPF programs themselves.
 */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wsign-compare"
#include "bpf/kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "played_reads.h"

#include "check.h"

static struct task_struct the_task;
static struct mm_struct the_mm;
static __u64 now_ns, met_cookie;
static bool is_busy, has_state;		/* the thread */

static void *state__get(const void *map, __u64 flags);
static void *map__find(const void *map, const void *key);
static long map__put(const void *map, const void *key, const void *value, __u64 flags);
static long map__remove(const void *map, const void *key);

static long loop(__u32 rounds, long (*body)(__u32, void *), void *context)
{
	__u32 round;

	for (round = 0; round < rounds; round++)
		if (body(round, context))
			break;
	return round;
}

/* Of 6.1. */
static bool ksym__exists(const char *name)
{
	return __builtin_strcmp(name, "bpf_rdonly_cast") && __builtin_strcmp(name, "bpf_session_is_return");
}

#undef bpf_core_field_exists
#undef BPF_CORE_READ_BITFIELD
#undef BPF_CORE_READ_BITFIELD_PROBED
#undef bpf_core_enum_value_exists
#undef bpf_ksym_exists
#undef bpf_core_cast
#define bpf_core_field_exists(field)		0
#define bpf_core_cast(pointer, type)		((type *)(pointer))
#define bpf_core_enum_value_exists(type, value)	0
#define bpf_ksym_exists(symbol)			ksym__exists(#symbol)
#define BPF_CORE_READ_BITFIELD(of, field)	((of)->field)
#define BPF_CORE_READ_BITFIELD_PROBED(of, field)	((of)->field)
#define bpf_ktime_get_ns()			(now_ns)
#define bpf_get_smp_processor_id()		0
#define bpf_get_current_task()			((__u64)(long)&the_task)
#define bpf_get_current_task_btf()		(&the_task)
#define bpf_get_current_pid_tgid()		((__u64)the_task.tgid << 32 | the_task.pid)
#define bpf_get_current_comm(...)		0
#define bpf_task_pt_regs(task)			((long)NULL)
#define bpf_get_attach_cookie(ctx)		(met_cookie)
#define bpf_probe_read_user(...)		(-14)
#define bpf_probe_read_kernel(...)		(-14)
#define bpf_ringbuf_reserve(...)		NULL
#define bpf_ringbuf_submit(...)			((void)0)
#define bpf_ringbuf_discard(...)		((void)0)
#define bpf_ringbuf_query(...)			0
#define bpf_loop(n, body, context, flags)	loop(n, body, context)
#define bpf_task_storage_get(map, task, value, flags)	state__get(map, flags)
#define bpf_task_storage_delete(map, task)	(has_state = false, 0)
#define bpf_map_lookup_elem(map, key)		map__find(map, key)
#define bpf_map_update_elem(map, key, value, flags)	map__put(map, key, value, flags)
#define bpf_map_delete_elem(map, key)		map__remove(map, key)

#include "mechanism/trap/bpf/xprobe.bpf.c"

static struct thread the_thread;
static struct xp_calls figures[2];
static struct xp_total total;
static struct xp_buckets counted;

static struct { __u64 sp; struct stray stray; } noted[8];
static size_t nr_noted;
static __u64 unseen_ns;		/* in stateful, where the thread is there */
static __u32 stateful_tid;	/* who is there; 0: nobody */
static bool is_full;

static void *state__get(const void *map, __u64 flags)
{
	if (is_busy)
		return NULL;
	has_state |= flags != 0;
	return has_state ? &the_thread : NULL;
}

static void *map__find(const void *map, const void *key)
{
	size_t i;

	if (map == &calls)
		return &figures[*(const __u32 *)key];
	if (map == &totals)
		return &total;
	if (map == &buckets)
		return &counted;
	if (map == &stateful)
		return stateful_tid == *(const __u32 *)key ? &unseen_ns : NULL;
	for (i = 0; map == &strays && i < nr_noted; i++)
		if (noted[i].sp == *(const __u64 *)key)
			return &noted[i].stray;
	return NULL;
}

static long map__put(const void *map, const void *key, const void *value, __u64 flags)
{
	struct stray *stray = map__find(map, key);

	if (map == &stateful && map__find(map, key) && flags == BPF_NOEXIST)
		return -EEXIST;
	if (map == &stateful && !is_full) {
		stateful_tid = *(const __u32 *)key;
		unseen_ns = *(const __u64 *)value;
		return 0;
	}
	if (map != &strays)
		return -7;
	if (!stray) {
		noted[nr_noted].sp = *(const __u64 *)key;
		stray = &noted[nr_noted++].stray;
	}
	*stray = *(const struct stray *)value;
	return 0;
}

static long map__remove(const void *map, const void *key)
{
	if (map != &stateful)
		return 0;
	if (!map__find(map, key))
		return -2;
	stateful_tid = 0;
	return 0;
}

/* Functions 0 and 1, each at a place of its own on the stack: 1 is called by 0. */
static const __u64 places[] = { 0x7fff8000, 0x7fff7000 };

static void enters(__u32 function)
{
	struct pt_regs regs = { .rsp = places[function] };

	now_ns += 1000;
	met_cookie = (__u64)XP_EXIT_EMULATED << 16 | function;
	call_entry(&regs);
}

static void leaves(__u32 function)
{
	struct pt_regs regs = { .rsp = places[function] };

	now_ns += 1000;
	met_cookie = (__u64)XP_EXIT_EMULATED << 16 | function;
	call_exit_site(&regs);
}

static void ends(void)
{
	__u64 ctx[] = { (__u64)&the_task };

	sched_process_exit(ctx);
}

static void starts(bool one)
{
	__builtin_memset(&the_thread, 0, sizeof(the_thread));
	__builtin_memset(figures, 0, sizeof(figures));
	__builtin_memset(&total, 0, sizeof(total));
	__builtin_memset(stray_bits, 0, sizeof(stray_bits));
	__builtin_memset(&counters, 0, sizeof(counters));
	nr_noted = 0;
	has_state = is_busy = is_full = false;
	stateful_tid = 0;
	the_task.mm = &the_mm;
	the_task.pid = the_task.tgid = target_tgid = 7;
	active = XP_ACTIVE;
	one_stack = one;
	step_page = STEP_PAGE_USED;
	now_ns = 1000000;
	exec_unseen_ns = 0;
}

/* It is constant for the eBPF programs. */
static void max_threads_are(__u32 most)
{
	*(volatile __u32 *)&max_threads = most;
	nr_threads = 0;
}

static __u64 timed(const struct xp_calls *f)
{
	return f->ended[0] + f->ended[1] + f->ended[2] + f->ended[3] + f->ended[4] + f->ended[5];
}

static void adds_up(const char *name)
{
	__u64 told, all = 0;
	int i, way;

	for (i = 0; i < 2; i++) {
		told = timed(&figures[i]) + figures[i].abandoned + figures[i].unfinished;
		for (way = 0; way < XP_LOST_WAYS; way++)
			told += figures[i].lost[way];
		all += told != figures[i].calls;
	}
	check(!all, name, all);
}

static void end_is_missed(bool one)
{
	const struct xp_calls *inner = &figures[1];

	starts(one);
	enters(0);
	enters(1);
	is_busy = true;
	leaves(1);
	is_busy = false;
	leaves(0);
	check(inner->lost[XP_LOST_END_UNSEEN] == 1 && !inner->abandoned,
	      "the end of a call comes when its thread's state can't be had: it is lost", inner->abandoned);
	check(timed(&figures[0]) == 1, "and the call around it is timed", timed(&figures[0]));
	adds_up("and calls add up");
}

static void next_begin_is_missed_as_well(bool one)
{
	starts(one);
	enters(1);
	is_busy = true;
	leaves(1);
	enters(1);
	is_busy = false;
	leaves(1);
	check(!timed(&figures[1]), "one call's end and the next one's beginning are missed: neither is timed by the other's",
	      total.max_ns);
	check(figures[1].lost[XP_LOST_END_UNSEEN] == 1 && figures[1].lost[XP_LOST_NO_MEMORY] == 1, "both are lost",
	      figures[1].calls);
	enters(1);
	leaves(1);
	check(timed(&figures[1]) == 1 && total.max_ns == 1000, "the next one is timed as ever", total.max_ns);
	adds_up("and calls add up");
}

static void thread_ends_after(bool one)
{
	starts(one);
	enters(0);
	enters(1);
	is_busy = true;
	leaves(1);
	is_busy = false;
	ends();
	check(figures[1].lost[XP_LOST_END_UNSEEN] == 1 && !figures[1].unfinished && figures[0].unfinished == 1,
	      "it is lost as well where its thread ends then, and the call around it is unfinished", figures[1].unfinished);
	adds_up("and calls add up");
}

static void thread_ends_meanwhile(void)
{
	starts(true);
	enters(0);
	is_busy = true;
	ends();
	check(!stateful_tid, "a thread is forgotten as it ends", stateful_tid);
	check(counters.threads_unseen == 1, "a thread whose state can't be had as it ends is counted", counters.threads_unseen);
	starts(true);
	is_busy = true;
	ends();
	check(!counters.threads_unseen, "one that had none is not", counters.threads_unseen);
}

static void program_is_executed_meanwhile(void)
{
	__u64 ctx[] = { (__u64)&the_task, 7, 0 };

	starts(true);
	enters(0);
	is_busy = true;
	now_ns += 1000;
	sched_process_exec(ctx);
	is_busy = false;
	ends();
	check(figures[0].lost[XP_LOST_EXEC] == 1, "so is a call that encloses an execve then", figures[0].unfinished);
	adds_up("and calls add up");
}

/* Of a thread that is not noted nobody could say whether its state is hidden. */
static void there_is_no_room(bool one)
{
	starts(one);
	is_full = true;
	enters(1);
	leaves(1);
	check(!has_state && figures[1].lost[XP_LOST_NO_MEMORY] == 1, "a thread that can't be noted gets no state, and its calls are lost",
	      figures[1].calls);
	check(figures[1].stateless == figures[1].returns && figures[1].returns == !one,
	      "its return is known as one that may be of those", figures[1].returns);
	ends();
	check(!counters.threads_unseen, "and none is missed as it ends", counters.threads_unseen);
	adds_up("and calls add up");
}

/* Made while it was hidden: it is that one, and what was noted of it stays. */
static void it_is_there(void)
{
	starts(true);
	max_threads_are(2);
	enters(0);
	is_busy = true;
	enters(1);
	check(stateful_tid == 7, "a thread whose state can't be had while it calls stays noted", stateful_tid);
	is_busy = false;
	leaves(0);
	check(nr_threads == 1 && timed(&figures[0]) == 1, "and counts as one", nr_threads);
	max_threads_are(0);
}

/* Another thread than the first executes a program, and goes on under the number of the first. */
static void number_changes(void)
{
	__u64 ctx[] = { (__u64)&the_task, 9, 0 };

	starts(true);
	the_task.pid = 9;
	enters(0);
	the_task.pid = 7;
	sched_process_exec(ctx);
	check(stateful_tid == 7, "a thread is noted by its number after an execve", stateful_tid);
}

/* A thread that was in no probed function has none: nothing is noted of it, so nothing is lost by that. */
static void there_is_none(void)
{
	starts(true);
	is_busy = true;
	leaves(1);
	check(counters.early_returns == 1 && !nr_noted, "a return of a call from before the recording is no loss", nr_noted);
}

int main(void)
{
	int one;

	for (one = 0; one < 2; one++) {
		end_is_missed(one);
		next_begin_is_missed_as_well(one);
		thread_ends_after(one);
		there_is_no_room(one);
	}
	thread_ends_meanwhile();
	program_is_executed_meanwhile();
	there_is_none();
	it_is_there();
	number_changes();
	return failed;
}
