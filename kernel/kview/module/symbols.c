// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel has but does not export to modules.
 *
 * All of it is looked up when the module is loaded, and a kernel that lacks
 * anything is refused by name: better no module than half of one.
 */
#define pr_fmt(fmt) "kview: " fmt

#include <linux/bpf.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/version.h>

#include "memory.h"
#include "symbols.h"

struct kview_symbols kview_sym;

static const struct {
	const char *name;
	void *where;
	bool optional;			/* not there: 0 */
} kview_wanted[] = {
	{ "flush_tlb_all",		&kview_sym.flush_tlb_all },
	{ "flush_tlb_mm_range",		&kview_sym.flush_tlb_mm_range },
	{ "switch_mm_irqs_off",		&kview_sym.switch_mm_irqs_off },
	{ "ftrace_location",		&kview_sym.ftrace_location },
	{ "kallsyms_on_each_symbol",	&kview_sym.kallsyms_on_each_symbol },
	{ "kallsyms_on_each_match_symbol", &kview_sym.kallsyms_on_each_match, true },
	{ "kallsyms_lookup_size_offset", &kview_sym.kallsyms_lookup_size_offset },
	{ "module_kallsyms_on_each_symbol", &kview_sym.module_kallsyms_on_each_symbol },
	{ "__module_text_address",	&kview_sym.module_text_address },
	{ "insn_decode",		&kview_sym.insn_decode },
	{ "pidfd_pid",			&kview_sym.pidfd_pid },
	{ "ptrace_may_access",		&kview_sym.ptrace_may_access },
#ifndef SUID_DUMP_USER
	{ "task_exec_state_get_dumpable", &kview_sym.task_dumpable },
#endif
	{ "bpf_jit_alloc_exec",		&kview_sym.bpf_jit_alloc_exec },
	{ "bpf_jit_free_exec",		&kview_sym.bpf_jit_free_exec },
	{ "set_memory_ro",		&kview_sym.set_memory_ro },
	{ "set_memory_rw",		&kview_sym.set_memory_rw },
	{ "set_memory_x",		&kview_sym.set_memory_x },
	{ "set_memory_nx",		&kview_sym.set_memory_nx },
	{ "init_mm",			&kview_sym.init_mm },
	{ "text_mutex",			&kview_sym.text_mutex },
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
	{ "text_poke_queue",		&kview_sym.text_poke_queue },
#else
	{ "smp_text_poke_batch_add",	&kview_sym.text_poke_queue },
#endif
	{ "tracepoints_mutex",		&kview_sym.tracepoints_mutex },
	{ "bpf_prog_active",		&kview_sym.bpf_prog_active },
	{ "current_kprobe",		&kview_sym.current_kprobe },
	{ "kprobe_ctlblk",		&kview_sym.kprobe_ctlblk },
	{ "_text",			&kview_sym.text_start },
	{ "_etext",			&kview_sym.text_end },
	{ "__noinstr_text_start",	&kview_sym.noinstr_start },
	{ "__noinstr_text_end",		&kview_sym.noinstr_end },
	{ "__entry_text_start",		&kview_sym.entry_start },
	{ "__entry_text_end",		&kview_sym.entry_end },
	{ "__start___jump_table",	&kview_sym.jump_start },
	{ "__stop___jump_table",	&kview_sym.jump_end },
	{ "__start_static_call_sites",	&kview_sym.static_call_start },
	{ "__stop_static_call_sites",	&kview_sym.static_call_end },
	{ "__tracepoint_sys_enter",	&kview_sym.sys_enter },
	{ "__tracepoint_sys_exit",	&kview_sym.sys_exit },
	{ "tasklist_lock",		&kview_sym.tasklist_lock },
	{ "event_class_syscall_enter",	&kview_sym.syscall_enter },
	{ "event_class_syscall_exit",	&kview_sym.syscall_exit },
	{ "trace_event_get_offsets",	&kview_sym.trace_event_get_offsets },
	{ "perf_swevent_put_recursion_context", &kview_sym.perf_put_recursion },
	{ "rethook_alloc",		&kview_sym.rethook_alloc },
	{ "rethook_free",		&kview_sym.rethook_free },
	{ "rethook_try_get",		&kview_sym.rethook_try_get },
	{ "rethook_hook",		&kview_sym.rethook_hook },
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
	{ "rethook_add_node",		&kview_sym.rethook_add_node },
#endif
	{ "__text_poke",		&kview_sym.text_poke },
	{ "arch_jump_label_transform_queue", &kview_sym.jump_queue },
	{ "ftrace_replace_code",	&kview_sym.ftrace_replace },
	{ "register_kprobe",		&kview_sym.register_kprobe },
	{ "arch_check_optimized_kprobe", &kview_sym.check_optimized },
	{ "get_kprobe",			&kview_sym.get_kprobe },
	{ "within_kprobe_blacklist",	&kview_sym.within_kprobe_blacklist },
	{ "kprobe_blacklist",		&kview_sym.kprobe_blacklist, true },
	{ "kprobe_mutex",		&kview_sym.kprobe_mutex, true },
	{ "text_poke",			&kview_sym.poke },
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
	{ "text_poke_sync",		&kview_sym.poke_sync },
#else
	{ "smp_text_poke_sync_each_cpu", &kview_sym.poke_sync },
#endif
	{ "wake_up_new_task",		&kview_sym.wake_up_new_task },
	{ "begin_new_exec",		&kview_sym.begin_new_exec },
	{ "do_exit",			&kview_sym.do_exit },
	{ "mm_alloc",			&kview_sym.mm_alloc },
	{ "synchronize_rcu_tasks_rude",	&kview_sym.synchronize_rcu_tasks_rude, true },
	{ "enter_lazy_tlb",		&kview_sym.enter_lazy_tlb, true },
	{ "membarrier_update_current_mm", &kview_sym.update_current_mm, true },
	{ "__tracepoint_sched_switch",	&kview_sym.sched_switch },
};

static char *pretend_missing = "";
kview_test_param(pretend_missing, pretend_missing, charp, 0400,
		 "what to take for missing in this kernel");

bool kview_pretend_missing(const char *what)
{
	return !strcmp(what, pretend_missing);
}

int kview_symbols_resolve(void)
{
	struct kprobe kp = { .symbol_name = "kallsyms_lookup_name" };
	unsigned int i, missing = 0;
	int ret;

	/* registering a kprobe is the exported way to one symbol's address */
	ret = register_kprobe(&kp);
	if (ret) {
		pr_err("kallsyms_lookup_name not found: %d\n", ret);
		return ret;
	}
	kview_sym.kallsyms_lookup_name = (void *)kp.addr;
	unregister_kprobe(&kp);

	for (i = 0; i < ARRAY_SIZE(kview_wanted); i++) {
		unsigned long addr = kview_sym.kallsyms_lookup_name(kview_wanted[i].name);

		if (kview_pretend_missing(kview_wanted[i].name))
			addr = 0;
		if (!addr && !kview_wanted[i].optional) {
			pr_err("this kernel has no symbol %s\n", kview_wanted[i].name);
			missing++;
		}
		*(unsigned long *)kview_wanted[i].where = addr;
	}
	return missing ? -ENOENT : 0;
}
