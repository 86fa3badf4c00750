/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a CPU is in an interrupt: then it does nothing for the thread that runs there.
 *
 * What this can't see: an x86 kernel that names neither variable below to eBPF, as one without CONFIG_KALLSYMS_ALL, is never
 * in one.  A real-time kernel (CONFIG_PREEMPT_RT) does not count its softirqs here, which run in threads, among them in one
 * that enables them again.  docs/probes-and-cost.md says what counts then.
 */
#ifndef KVIEW_INTERRUPTS_BPF_H
#define KVIEW_INTERRUPTS_BPF_H

/* Of preempt_count: whether the CPU serves an interrupt, a softirq or an NMI. */
#define IN_INTERRUPT	0x00ff0100U

#ifdef __TARGET_ARCH_x86
/* It is a CPU's own variable, which some kernels keep among others. */
struct pcpu_hot {
	int preempt_count;
} __attribute__((preserve_access_index));
extern const struct pcpu_hot pcpu_hot __ksym __weak;
extern const int __preempt_count __ksym __weak;

static __always_inline u32 preempt_count(struct task_struct *task)
{
	if (bpf_ksym_exists(&__preempt_count))
		return *(const int *)bpf_this_cpu_ptr(&__preempt_count);
	if (bpf_ksym_exists(&pcpu_hot))
		return ((const struct pcpu_hot *)bpf_this_cpu_ptr(&pcpu_hot))->preempt_count;
	return 0;
}
#else
struct thread_info___arm64 {
	u32 preempt_count;		/* the lower half of it */
} __attribute__((preserve_access_index));
struct task_struct___arm64 {
	struct thread_info___arm64 thread_info;
} __attribute__((preserve_access_index));

static __always_inline u32 preempt_count(struct task_struct *task)
{
	return BPF_CORE_READ((struct task_struct___arm64 *)task, thread_info.preempt_count);
}
#endif

static __always_inline bool is_in_interrupt(struct task_struct *task)
{
	return preempt_count(task) & IN_INTERRUPT;
}

#endif
