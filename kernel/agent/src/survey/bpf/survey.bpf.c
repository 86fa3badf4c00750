// SPDX-License-Identifier: GPL-2.0
/*
 * Where the threads of a process spend their time, with stacks: those that run are sampled; of those
 * that wait the stack is copied as they leave their CPU, and sent when they come back if the wait
 * stands for enough time.  The times by thread and cause are summed up here, all of them.
 */
#include "kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "survey/bpf/survey.h"
#include "base.bpf.h"
#include "raises.bpf.h"
#include "causes.bpf.h"
#include "survey/bpf/stack.bpf.h"
#include "survey/bpf/state.bpf.h"

char LICENSE[] SEC("license") = "GPL";

static __always_inline struct survey_thread *thread__find(struct task_struct *task)
{
	u32 tid = task->pid;

	return bpf_map_lookup_elem(&threads, &tid);
}

static __always_inline struct survey_thread *thread__new(struct task_struct *task)
{
	struct survey_thread *t;
	u32 tid = task->pid, slot;

	bpf_map_update_elem(&threads, &tid, &no_thread, BPF_NOEXIST);
	t = bpf_map_lookup_elem(&threads, &tid);
	if (!t) {
		__sync_fetch_and_add(&losses.threads, 1);
		return NULL;
	}
	slot = __sync_fetch_and_add(&next_slot, 1);
	t->slot = slot < nr_slots ? slot : SURVEY_NO_STACK;
	t->owed_ns = bpf_get_prandom_u32() % wait_period_ns;
	t->owed_queue_ns = bpf_get_prandom_u32() % wait_period_ns;
	t->in_ns = begin_ns && task->start_time > begin_ns ? bpf_ktime_get_ns() : begin_ns;
	t->first_ran_ns = task->se.sum_exec_runtime;
	if (begin_ns && t->first_ran_ns && task->start_time > begin_ns)
		t->first_ran_ns = 0;
	bpf_probe_read_kernel(t->name, sizeof(t->name), task->comm);
	return t;
}

static __always_inline struct survey_stack *slot__of(const struct survey_thread *t)
{
	u32 slot = t->slot;

	return bpf_map_lookup_elem(&slots, &slot);
}

static __always_inline void stack__send(struct survey_stack *s)
{
	u32 bytes = s->nr_bytes;

	if (bytes > SURVEY_STACK_BYTES)
		bytes = SURVEY_STACK_BYTES;
	if (bpf_ringbuf_output(&ring, s, offsetof(struct survey_stack, bytes) + bytes, BPF_RB_NO_WAKEUP)) {
		__sync_fetch_and_add(&losses.stacks, 1);
		__sync_fetch_and_add(&losses.stacks_ns, s->cause_ns + s->queue_ns);
	}
}

static __always_inline void stack__begin(struct survey_stack *s, struct task_struct *task, u8 cause)
{
	s->cause = cause;
	s->tid = task->pid;
	s->nr_kernel = 0;
	registers__take(s->registers, (struct pt_regs *)bpf_task_pt_regs(task));
}

/*
 * The time for which the stack of such a wait is sent; 0: it is not.  The steps are of different lengths:
 * a program that waits again and again in the same order could else be in step with them.
 */
static __always_inline u64 period__take(s64 *owed, u64 ns)
{
	if (ns >= wait_period_ns)
		return ns;
	*owed += ns;
	if (*owed < (s64)wait_period_ns)
		return 0;
	*owed -= wait_period_ns / 2 + bpf_get_prandom_u32() % wait_period_ns;
	return wait_period_ns;
}

static __always_inline u64 user__copy(void *to, u32 bytes, const void *from)
{
	return bpf_probe_read_user(to, bytes, from);
}

/* How a wait that ends at now divides into its cause and the way back to a CPU; both are counted. */
static __always_inline void wait__divide(struct survey_thread *t, u64 now, u64 *cause_ns, u64 *queue_ns)
{
	u64 out = t->out_ns > begin_ns ? t->out_ns : begin_ns, wake = t->wake_ns;

	if (now < out)
		now = out;
	if (t->cause == XP_PREEMPTED || t->cause == XP_THROTTLED || !wake || wake > now)
		wake = now;
	else if (wake < out)
		wake = out;
	*cause_ns = wake - out;
	*queue_ns = now - wake;
	t->ns[BOUND(t->cause, SURVEY_METRICS - 1)] += *cause_ns;
	t->ns[XP_RUN_QUEUE] += *queue_ns;
}

/* What the scheduler charged it for since it was last asked. */
static __always_inline u64 thread__charge(struct survey_thread *t, struct task_struct *task)
{
	u64 ran = task->se.sum_exec_runtime - t->first_ran_ns, since = ran - t->ran_ns;

	t->ran_ns = ran;
	return since;
}

/* Up to now, since it came to its CPU.  That may not have been reported: then it ran as long as it was charged for. */
static __always_inline void thread__ran(struct survey_thread *t, struct task_struct *task, u64 now)
{
	u64 in = t->in_ns > begin_ns ? t->in_ns : begin_ns, charged = thread__charge(t, task), cause_ns, queue_ns;

	if (t->out_ns) {
		in = charged < now - t->out_ns ? now - charged : t->out_ns;
		wait__divide(t, in, &cause_ns, &queue_ns);
	}
	if (now > in)
		t->ns[XP_ON_CPU] += now - in;
}

static __always_inline void thread__leaves(struct survey_thread *t, struct task_struct *task, bool preempt,
					   unsigned int state)
{
	struct survey_stack *s = slot__of(t);
	u64 came_ns = bpf_ktime_get_ns();
	long syscall;

	thread__ran(t, task, came_ns);
	t->cause = cause__of_switch(&t->syscall, task, preempt, state, &syscall);
	t->is_early = 0;
	t->wake_ns = 0;
	if (s) {
		stack__begin(s, task, t->cause);
		stack__copy(s, task, user__copy);
	}
	t->out_ns = came_ns;
	t->cost_ns += bpf_ktime_get_ns() - came_ns;
}

static __always_inline void stack__take_kernel(struct survey_stack *s, struct task_struct *task)
{
	long bytes = bpf_get_task_stack(task, s->kernel, sizeof(s->kernel), 0);

	s->nr_kernel = bytes > 0 ? bytes / sizeof(*s->kernel) : 0;
}

/* It ran as long as it was charged for, and left its CPU then. */
static __always_inline void thread__left_unseen(struct survey_thread *t, struct task_struct *task, u64 now)
{
	u64 in = t->in_ns > begin_ns ? t->in_ns : begin_ns, charged = thread__charge(t, task);

	t->cause = cause__of_unreported(&t->syscall, task);
	t->is_early = 0;
	t->out_ns = now > in && charged < now - in ? in + charged : now;
	if (t->out_ns > in)
		t->ns[XP_ON_CPU] += t->out_ns - in;
}

static __always_inline void thread__returns(struct survey_thread *t, struct task_struct *task, u64 now)
{
	u64 cause_ns, queue_ns;
	struct survey_stack *s;
	u32 cpu = bpf_get_smp_processor_id();

	s = slot__of(t);
	/* It left its CPU before that could be seen, or it was another time than the one that was looked at. */
	if (!t->out_ns || (t->is_early && t->switches != task->nvcsw + task->nivcsw)) {
		thread__left_unseen(t, task, now);
		s = NULL;
	}
	wait__divide(t, now, &cause_ns, &queue_ns);
	t->out_ns = 0;
	t->in_ns = now;
	cause_ns = period__take(&t->owed_ns, cause_ns);
	queue_ns = period__take(&t->owed_queue_ns, queue_ns);
	if (!cause_ns && !queue_ns)
		return;
	if (!s) {
		s = bpf_map_lookup_elem(&running, &cpu);
		if (!s)
			return;
		stack__begin(s, task, t->cause);
		s->stack_at = s->nr_bytes = 0;
		s->is_cut = 1;
	}
	s->cause = t->cause;
	s->cause_ns = cause_ns;
	s->queue_ns = queue_ns;
	stack__take_kernel(s, task);
	stack__send(s);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(survey_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	struct survey_thread *t;
	u64 now;

	if (is_of_process(prev) && is_on()) {
		t = thread__find(prev);
		if (!t)
			t = thread__new(prev);
		if (t)
			thread__leaves(t, prev, preempt, prev_state);
	}
	if (is_of_process(next) && is_on()) {
		t = thread__find(next);
		if (!t)
			t = thread__new(next);
		if (t) {
			now = bpf_ktime_get_ns();
			thread__returns(t, next, now);
			t->cost_ns += bpf_ktime_get_ns() - now;
		}
	}
	return 0;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(survey_wakeup, struct task_struct *task)
{
	struct survey_thread *t;

	if (!is_of_process(task) || !is_on())
		return 0;
	t = thread__find(task);
	if (t && t->out_ns && !t->wake_ns)
		t->wake_ns = bpf_ktime_get_ns();
	return 0;
}

/* Another program has other code: what was seen up to now is all. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(survey_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	/* Also one that comes before the process is looked at. */
	if (task->tgid != target_tgid || (READ_ONCE(started_ns) && !is_of_process(task)))
		return 0;
	if (is_on())
		end_ns = bpf_ktime_get_ns();
	executed = true;
	if (stops_at_raise && bprm__raises(bprm))
		raised = true;
	return 0;
}

SEC("perf_event")
int survey_sample(struct bpf_perf_event_data *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u32 cpu = bpf_get_smp_processor_id();
	struct survey_thread *t;
	struct survey_stack *s;
	u64 came_ns;
	long bytes;

	if (!is_of_process(task) || !is_on())
		return 0;
	came_ns = bpf_ktime_get_ns();
	s = bpf_map_lookup_elem(&running, &cpu);
	if (!s)
		return 0;
	stack__begin(s, task, XP_ON_CPU);
	s->cause_ns = cpu_period_ns;
	s->queue_ns = 0;
	stack__copy(s, task, user__copy);
	bytes = bpf_get_stack(ctx, s->kernel, sizeof(s->kernel), 0);
	s->nr_kernel = bytes > 0 ? bytes / sizeof(*s->kernel) : 0;
	stack__send(s);
	t = thread__find(task);
	if (t)
		t->cost_ns += bpf_ktime_get_ns() - came_ns;
	return 0;
}

/*
 * Before the survey begins: those that wait already, and how much each thread has run.  May wait for
 * memory, unlike the programs above.
 */
SEC("iter.s/task")
int survey_first(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct survey_thread *t;
	struct survey_stack *s;
	unsigned int state;
	long syscall;

	if (!task || task->tgid != target_tgid)
		return 0;
	/* The agent still holds the process after this look: so it is that one. */
	WRITE_ONCE(started_ns, task->group_leader->start_boottime);
	if (!task->mm)
		return 0;
	t = thread__new(task);
	if (!t || task->on_cpu)
		return 0;
	state = task->__state;
	t->switches = task->nvcsw + task->nivcsw;
	t->cause = cause__of_switch(&t->syscall, task, false, state, &syscall);
	t->is_early = 1;
	s = slot__of(t);
	if (s) {
		stack__begin(s, task, t->cause);
#define OTHERS_COPY(to, bytes, from)	bpf_copy_from_user_task(to, bytes, from, task, 0)
		stack__copy(s, task, OTHERS_COPY);
	}
	t->out_ns = bpf_ktime_get_ns();
	return 0;
}

/* After its end: those that still wait.  Their stacks are read from their slots. */
SEC("iter/task")
int survey_last(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct survey_thread *t;
	struct survey_stack *s;

	if (!task || !is_of_process(task) || !task->mm)
		return 0;
	t = thread__find(task);
	if (!t)
		return 0;
	if (!t->out_ns && task->on_cpu)
		thread__ran(t, task, end_ns);
	if (!t->out_ns || (t->is_early && t->switches != task->nvcsw + task->nivcsw))
		return 0;
	s = slot__of(t);
	if (!s)
		return 0;
	wait__divide(t, end_ns, &s->cause_ns, &s->queue_ns);
	s->cause_ns = period__take(&t->owed_ns, s->cause_ns);
	s->queue_ns = period__take(&t->owed_queue_ns, s->queue_ns);
	s->cause = t->cause;
	stack__take_kernel(s, task);
	t->waits_on = 1;
	return 0;
}
