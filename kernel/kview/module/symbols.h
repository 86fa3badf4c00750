/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel does not export. */
#ifndef KVIEW_MODULE_SYMBOLS_H
#define KVIEW_MODULE_SYMBOLS_H

#include <linux/kallsyms.h>
#include <linux/mm_types.h>
#include <linux/module.h>
#include <linux/rethook.h>
#include <linux/sched/coredump.h>
#include <linux/spinlock_types.h>
#include <linux/types.h>
#include <linux/version.h>
#include <asm/insn.h>

struct file;
struct kprobe;
struct kprobe_ctlblk;
struct mutex;
struct pid;
struct pt_regs;
struct task_struct;
struct trace_event_call;
struct trace_event_class;
struct tracepoint;

/*
 * Addresses, filled in when the module is loaded and never changed.  What holds for each is the
 * kernel's to say; those that not all kernels have are 0 or NULL there (symbols.c).
 */
struct kview_symbols {
	unsigned long (*kallsyms_lookup_name)(const char *name);
	void (*flush_tlb_all)(void);
	void (*flush_tlb_mm_range)(struct mm_struct *mm, unsigned long start, unsigned long end,
				   unsigned int stride_shift, bool freed_tables);
	void (*switch_mm_irqs_off)(struct mm_struct *prev, struct mm_struct *next,
				   struct task_struct *tsk);
	unsigned long (*ftrace_location)(unsigned long ip);
	typeof(&kallsyms_on_each_symbol) kallsyms_on_each_symbol;
	int (*kallsyms_on_each_match)(int (*fn)(void *data, unsigned long addr), const char *name,
				      void *data);
	int (*kallsyms_lookup_size_offset)(unsigned long addr, unsigned long *size,
					   unsigned long *offset);
	typeof(&module_kallsyms_on_each_symbol) module_kallsyms_on_each_symbol;
	typeof(&__module_text_address) module_text_address;
	int (*insn_decode)(struct insn *insn, const void *kaddr, int len, enum insn_mode m);
	struct pid *(*pidfd_pid)(const struct file *file);
	bool (*ptrace_may_access)(struct task_struct *task, unsigned int mode);
#ifndef SUID_DUMP_USER
	enum task_dumpable (*task_dumpable)(struct task_struct *task);
#endif
	void *(*bpf_jit_alloc_exec)(unsigned long size);
	void (*bpf_jit_free_exec)(void *addr);
	int (*set_memory_ro)(unsigned long addr, int numpages);
	int (*set_memory_rw)(unsigned long addr, int numpages);
	int (*set_memory_x)(unsigned long addr, int numpages);
	int (*set_memory_nx)(unsigned long addr, int numpages);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	struct rethook *(*rethook_alloc)(void *data, rethook_handler_t handler, int size, int num);
#else
	struct rethook *(*rethook_alloc)(void *data, rethook_handler_t handler);
	void (*rethook_add_node)(struct rethook *rh, struct rethook_node *node);
#endif
	void (*rethook_free)(struct rethook *rh);
	struct rethook_node *(*rethook_try_get)(struct rethook *rh);
	void (*rethook_hook)(struct rethook_node *node, struct pt_regs *regs, bool mcount);
	struct mm_struct *(*mm_alloc)(void);
	void (*synchronize_rcu_tasks_rude)(void);
	struct mm_struct *init_mm;
	struct mutex *text_mutex;	/* these two: see lock.h */
	void (*text_poke_queue)(void *addr, const void *opcode, size_t len, const void *emulate);
	struct mutex *tracepoints_mutex;
	int __percpu *bpf_prog_active;
	struct kprobe * __percpu *current_kprobe;
	struct kprobe_ctlblk __percpu *kprobe_ctlblk;
	unsigned long text_start, text_end;
	unsigned long noinstr_start, noinstr_end;
	unsigned long entry_start, entry_end;
	unsigned long jump_start, jump_end;
	struct tracepoint *sys_enter, *sys_exit;
	rwlock_t *tasklist_lock;
	struct trace_event_class *syscall_enter, *syscall_exit;
	int (*trace_event_get_offsets)(struct trace_event_call *call);
	void (*perf_put_recursion)(int rctx);
	unsigned long static_call_start, static_call_end;
	/* patching functions that mirror.c and escape.c wrap */
	unsigned long text_poke, jump_queue, ftrace_replace, register_kprobe, check_optimized;
	struct kprobe *(*get_kprobe)(void *addr);
	bool (*within_kprobe_blacklist)(unsigned long addr);
	struct list_head *kprobe_blacklist;
	struct mutex *kprobe_mutex;	/* of that list; nothing else is locked within */
	void *(*poke)(void *addr, const void *opcode, size_t len);
	void (*poke_sync)(void);
	/* policy.c hooks these in views */
	unsigned long wake_up_new_task, begin_new_exec, do_exit;
	/* borrow.c hooks the first of these in views or, where there is none, the others */
	unsigned long enter_lazy_tlb;
	unsigned long update_current_mm;
	struct tracepoint *sched_switch;
};

extern struct kview_symbols kview_sym;

/*
 * The first step of loading.  -ENOENT: a symbol is missing; or register_kprobe()'s errors.  The log
 * names each.
 */
int kview_symbols_resolve(void);

/* Does a test want the module to take this for missing?  At loading. */
bool kview_pretend_missing(const char *what);

#endif
