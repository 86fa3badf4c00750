/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the processor counts of a program's code.  It counts by CPU, whoever runs there; a thread has what its CPU's counters
 * went on by while it ran:
 *
 *	switch to it	call	...	end	switch from it		switch to it, on another CPU
 *	at = counter	now += counter - at at each		at = counter
 *
 * Counters count the program's own instructions alone.  A switch, and the probes, are in the kernel: so it does not matter
 * when in a switch they are read, and no instruction of the probes is counted; cache misses that follow from them are.
 */
#ifndef KVIEW_COUNTERS_BPF_H
#define KVIEW_COUNTERS_BPF_H

/* By CPU, its counters one after the other. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, u32);
	__type(value, u32);
} cpu_counters SEC(".maps");

/* False: a counter is not there, or was taken by others. */
static __always_inline bool counters__of_cpu(u64 *values)
{
	u32 first = bpf_get_smp_processor_id() * XP_COUNTERS, i;
	struct bpf_perf_event_value value = { 0 };

	for (i = 0; i < XP_COUNTERS; i++) {
		if (bpf_perf_event_read_value(&cpu_counters, first + i, &value, sizeof(value)))
			return false;
		values[i] = value.counter;
	}
	return true;
}

static __always_inline u64 task__switches(const struct task_struct *task)
{
	return task->nvcsw + task->nivcsw;
}

/*
 * The thread has run on this CPU since the last time, if it was switched as often as then.  Else a switch was not seen, and
 * it is not known what it has: calls that this lies within are not counted.
 */
static __always_inline void counters__take(u64 *quantities, struct counted *c, u64 switches)
{
	bool is_known = c->is_running && c->switches == switches;
	u64 values[XP_COUNTERS] = { 0 };
	u32 i;

	c->is_running = counters__of_cpu(values);
	c->switches = switches;
	if (!is_known || !c->is_running)
		quantities[XP_COUNTERS_UNREAD]++;
	for (i = 0; i < XP_COUNTERS; i++) {
		if (is_known && c->is_running)
			quantities[XP_CYCLES + i] += values[i] - c->at[i];
		c->at[i] = values[i];
	}
}

/* Before the scheduler's other program, by whose time the call is measured: what this takes is not the call's. */
SEC("tp_btf/sched_switch")
int BPF_PROG(counters_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	u64 begin_ns = bpf_ktime_get_ns();
	struct measured_thread *m = bpf_task_storage_get(&measured_threads, prev, NULL, 0);
	struct thread *t;

	if (m) {
		/* This switch is counted already. */
		counters__take(m->now, &m->counted, task__switches(prev) - 1);
		m->counted.is_running = false;
	}
	t = m ? bpf_task_storage_get(&threads, prev, NULL, 0) : NULL;
	m = bpf_task_storage_get(&measured_threads, next, NULL, 0);
	if (m) {
		/* That it left its CPU was not seen. */
		if (m->counted.is_running)
			m->now[XP_COUNTERS_UNREAD]++;
		m->counted.is_running = counters__of_cpu(m->counted.at);
		m->counted.switches = task__switches(next);
	}
	if (t)
		t->overhead_ns += bpf_ktime_get_ns() - begin_ns;
	return 0;
}

#endif
