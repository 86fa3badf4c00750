/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kview: what the module's files share.
 *
 *	view --+-- sets of sites --- spots (one thunk each, shared by all views)
 *	       |        `-- programs
 *	       +-- regions: which text differs --- text copies (shared by all views)
 *	       +-- private page tables
 *	       `-- attachments --- address spaces (found by mm in the hook)
 *
 * Locks, outermost first:
 *	kview_lock		everything that is built and torn down
 *	tracepoints_mutex	the kernel's; see tracepoint.c
 *	text_mutex		the kernel's; copying base text
 *	kview_spaces_lock	the hash of address spaces (irqs off)
 *	kview_copies_lock	the hash of text copies, and their bytes (irqs off)
 * The hook takes none: it runs with preemption off and reads under RCU.
 */
#ifndef KVIEW_INTERNAL_H
#define KVIEW_INTERNAL_H

#include <linux/bpf.h>
#include <linux/file.h>
#include <linux/filter.h>
#include <linux/hash.h>
#include <linux/io.h>
#include <linux/list.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/refcount.h>
#include <linux/rethook.h>
#include <linux/types.h>
#include <linux/version.h>
#include <linux/workqueue.h>
#include <asm/insn.h>
#include <asm/pgtable.h>

#include "kview.h"

struct static_key;
struct tracepoint;

extern struct mutex kview_lock;

/* ---- symbols.c: what the kernel does not export ---- */

struct kview_symbols {
	unsigned long (*kallsyms_lookup_name)(const char *name);
	void (*flush_tlb_all)(void);
	void (*switch_mm_irqs_off)(struct mm_struct *prev, struct mm_struct *next,
				   struct task_struct *tsk);
	unsigned long (*ftrace_location)(unsigned long ip);
	int (*ftrace_lookup_symbols)(const char **sorted, size_t cnt, unsigned long *addrs);
	int (*insn_decode)(struct insn *insn, const void *kaddr, int len, enum insn_mode m);
	struct pid *(*pidfd_pid)(const struct file *file);
	bool (*ptrace_may_access)(struct task_struct *task, unsigned int mode);
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
	struct mm_struct *init_mm;
	struct mutex *text_mutex;
	struct mutex *tracepoints_mutex;
	int __percpu *bpf_prog_active;
	unsigned long text_start, text_end;
	unsigned long noinstr_start, noinstr_end;
	unsigned long entry_start, entry_end;
	unsigned long jump_start, jump_end;
	struct tracepoint *sys_enter, *sys_exit;
	rwlock_t *tasklist_lock;
	unsigned long static_call_start, static_call_end;
	/* patching functions that mirror.c and escape.c wrap */
	unsigned long text_poke, jump_queue, ftrace_replace;
	/* policy.c hooks these in views */
	unsigned long wake_up_new_task, begin_new_exec;
};

extern struct kview_symbols kview_sym;
int kview_symbols_resolve(void);

/* ---- memory.c: allocations that can be made to fail, for tests ---- */

void *kview_zalloc(size_t size);
void *kview_calloc(size_t n, size_t size);	/* kvfree() */
u64 __percpu *kview_percpu_alloc(size_t size);	/* free_percpu() */
void *kview_table_alloc(void);			/* a zeroed page; free_page() */
struct page *kview_pages_alloc(unsigned int order);
bool kview_should_fail(void);

/* ---- pgtable.c: base and private page tables ---- */

#define KVIEW_REGIONS	PTRS_PER_PMD		/* of 2 MiB, below one PUD entry */

struct kview_tables {
	p4d_t *p4d;				/* only with five levels */
	pud_t *pud;
	pmd_t *pmd;
};

int kview_pgtable_check(void);
int kview_tables_alloc(struct kview_tables *t);
void kview_tables_free(struct kview_tables *t);
void kview_tables_install(struct kview_tables *t, struct mm_struct *mm);
void kview_tables_remove(struct mm_struct *mm);
bool kview_cpu_in_view(void);
pmd_t kview_base_pmd(unsigned int region);
bool kview_base_huge(unsigned int region);
pmd_t kview_pmd_of_ptes(unsigned int region, pte_t *ptes);
pmd_t kview_pmd_of_pages(unsigned int region, struct page *pages);
void kview_fill_ptes(unsigned int region, pte_t *ptes);
pte_t kview_pte_of_page(pte_t base, struct page *page);
int kview_base_global_get(unsigned int region);
void kview_base_global_put(unsigned int region);
u8 *kview_base_text(unsigned long va);

static inline unsigned int kview_region_of(unsigned long va)
{
	return pmd_index(va);
}

static inline unsigned long kview_region_va(unsigned int region)
{
	return (kview_sym.text_start & PUD_MASK) + ((unsigned long)region << PMD_SHIFT);
}

/* ---- textcopy.c: copies of base text with bytes overridden ---- */

/* Bytes that differ from the base; never crosses a 4 KiB page. */
struct kview_ov {
	u32 off;	/* from the kernel image's PUD entry; in a copy, from its start */
	u16 refs;	/* sets that want it */
	u8 len;
	u8 byte[5];
};

struct kview_copy {
	struct hlist_node node;
	unsigned long va;
	struct page *pages;
	u32 order;
	u32 refs;
	u32 nov;
	u32 hash;
	struct kview_ov ov[];	/* sorted */
};

struct kview_copy *kview_copy_get(unsigned long va, unsigned int order,
				  const struct kview_ov *ov, u32 nov, u32 bias);
void kview_copy_put(struct kview_copy *c);
void kview_copy_mirror(unsigned long va, size_t len);
u32 kview_copy_count(void);

/* ---- region.c: 2 MiB of a view's text, immutable once in the page tables ---- */

struct kview_region {
	pte_t *ptes;			/* NULL: one copy of 2 MiB */
	struct kview_copy **copy;
	u32 ncopies;
	u32 nov;
	struct kview_ov ov[];
};

struct kview_region *kview_region_build(unsigned int idx, const struct kview_region *old,
					const struct kview_ov *delta, u32 n, bool add);
void kview_region_free(struct kview_region *r);
pmd_t kview_region_pmd(unsigned int idx, const struct kview_region *r);

/* ---- spot.c: places of hooks, shared by all views; thunk.c: their code ---- */

#define KVIEW_LEAF_SHIFT	9
#define KVIEW_LEAF		(1U << KVIEW_LEAF_SHIFT)
#define KVIEW_DIR		(KVIEW_SITES_MAX / KVIEW_LEAF)

struct kview_spot {
	struct hlist_node node;
	struct list_head limbo;
	unsigned long ip;
	const u8 *base;			/* the base's bytes at ip */
	struct tracepoint *tp;		/* NULL: a function's entry */
	u32 id;
	u32 refs;
};

struct kview_spot *kview_spot_get(unsigned long ip, struct tracepoint *tp);
void kview_spot_put(struct kview_spot *spot);
struct kview_spot *kview_spot_by_id(u32 id);
u32 kview_spot_count(void);
void kview_spots_exit(void);

int kview_thunk_get(u32 *id);
void kview_thunk_put(u32 id);
unsigned long kview_thunk_addr(u32 id);
void kview_thunks_exit(void);

/* ---- set.c: sites and programs ---- */

struct kview_space;
struct kview_set;

/*
 * A spot as one set sees it; in a view's directory, chained when sets share it.
 * The first members are what the hook's short way needs.
 */
struct kview_site {
	bpf_func_t run;			/* see kview_site_simplify() */
	u64 __percpu *hits;
	const u8 *base;			/* as in the spot */
	struct bpf_trace_run_ctx ctx;	/* what helpers read; nobody writes it */
	struct kview_site __rcu *next;
	struct kview_set *set;
	struct kview_spot *spot;
	u32 idx;
};

struct kview_prog {
	struct bpf_prog *prog;
	u64 cookie;
	u64 *cookies;
};

struct kview_progs {
	u32 n;
	struct kview_prog p[];
};

#define KVIEW_HITS_CHUNK	1024U

typedef void (*kview_callback_t)(struct kview_space *space, struct pt_regs *regs);

struct kview_set {
	struct list_head node;		/* in the view */
	struct kview_view *view;
	u32 kind;
	u32 nsites;			/* as user space counts them */
	u32 nlinks;			/* a tracepoint has one for each place it is inlined at */
	u32 nov;
	u32 ntps;
	bool syscalls;			/* sys_enter or sys_exit is among them */
	struct rethook *returns;	/* of the kind RETURN */
	atomic64_t missed;		/* calls whose return went unwatched */
	struct kview_site *links;
	struct kview_ov *ov;		/* sorted */
	struct kview_tp **tps;
	u64 __percpu **hits;		/* in chunks of KVIEW_HITS_CHUNK sites */
	kview_callback_t callback;	/* the module's own sites */
	struct kview_progs __rcu *progs;
};

/* Where sites are wanted. */
struct kview_place {
	unsigned long ip;		/* a function's ftrace location, or 0 */
	struct tracepoint *tp;		/* or a tracepoint */
	u32 idx;			/* as the user gave it */
};

struct kview_set *kview_set_create(struct kview_view *v, u32 kind,
				   const struct kview_place *place, u32 n,
				   kview_callback_t callback, u32 *bad);
void kview_set_destroy(struct kview_set *set);
void kview_set_free(struct kview_set *set);
u64 kview_set_hits(const struct kview_set *set, u32 idx, unsigned int cpu);

/* ---- place.c ---- */

unsigned long kview_entry_ip(unsigned long addr);
int kview_places_from_user(struct kview_set_create *arg, struct kview_place **places, u32 *n);

/* ---- prog.c ---- */

int kview_prog_add(struct kview_set *set, const struct kview_prog_add *arg);
int kview_prog_del(struct kview_set *set, int fd);
void kview_progs_free(struct kview_progs *progs);
void kview_site_simplify(struct kview_site *site);

/* ---- tracepoint.c ---- */

struct kview_tp {
	struct tracepoint *tp;
	struct tracepoint_func *funcs;	/* what private text loads in place of tp->funcs */
	u32 users;
};

/* One stretch of text to override; with a call, the bytes are the caller's to fill. */
typedef int (*kview_patch_t)(void *data, unsigned long va, const u8 *byte, u32 len, bool call);

int kview_tracepoint_find(const char *name, struct tracepoint **tp);
struct kview_tp *kview_tracepoint_get(struct tracepoint *tp);
void kview_tracepoint_put(struct kview_tp *t);
int kview_tracepoint_patch(struct kview_tp *t, kview_patch_t patch, void *data);
void kview_flip_begin(void);
void kview_flip_end(void);

/* ---- view.c ---- */

struct kview_view {
	refcount_t refs;
	bool closed;
	struct list_head node;
	struct list_head sets;
	struct list_head attachments;
	struct list_head leftovers;	/* sets whose overrides could not be taken out */
	u32 nspaces;
	u32 nsyscalls;			/* sets with sys_enter or sys_exit */
	struct kview_set *policy;
	struct kview_tables tables;
	struct kview_region *region[KVIEW_REGIONS];
	u64 create_ns, destroy_ns;
	struct kview_site __rcu **dir[KVIEW_DIR];
};

struct kview_view *kview_view_create(void);
void kview_view_get(struct kview_view *v);
void kview_view_put(struct kview_view *v);	/* under kview_lock */
void kview_view_close(struct kview_view *v);
unsigned int kview_view_leaves(const struct kview_view *v);
int kview_view_edit(struct kview_view *v, struct kview_set *set, bool add);
int kview_view_link(struct kview_view *v, struct kview_set *set);
void kview_view_unlink(struct kview_view *v, struct kview_set *set);

/* ---- attach.c: address spaces in views ---- */

struct kview_attachment {
	struct list_head node;		/* in the view */
	struct kview_view *view;
	refcount_t refs;		/* the file, spaces, pending joins */
	u32 flags;
	bool closed;
	struct list_head spaces;
	u32 nspaces;
	u32 joined;
	atomic_t join_failed;
	u64 attach_ns;
};

struct kview_space {
	struct mm_struct *mm;
	struct kview_site __rcu ***dir;	/* the view's */
	struct kview_view *view;
	struct kview_space __rcu *next;	/* in its hash bucket */
	struct kview_attachment *att;
	struct list_head node;		/* in the attachment */
	struct list_head todo;
	struct mmu_notifier mn;
	bool hashed;
	bool claimed;			/* somebody is freeing it */
};

#define KVIEW_SPACE_BITS	10
/* 32 bits of an address tell address spaces apart, and are cheaper to hash. */
static inline u32 kview_space_bucket(const struct mm_struct *mm)
{
	return hash_32((u32)(unsigned long)mm, KVIEW_SPACE_BITS);
}

extern struct kview_space __rcu *kview_spaces[1 << KVIEW_SPACE_BITS];
extern struct kview_space kview_nobody;	/* ends every bucket */

int kview_attach(struct kview_view *v, struct mm_struct *mm, u32 flags,
		 struct kview_attachment **out);
int kview_join(struct kview_attachment *att, struct mm_struct *mm);
void kview_detach(struct kview_attachment *att);
void kview_detach_all(struct kview_view *v);
void kview_attachment_put(struct kview_attachment *att);
int kview_attach_init(void);
void kview_attach_exit(void);
u32 kview_space_count(void);
extern u64 kview_detach_ns;

/* ---- return.c ---- */

int kview_returns_create(struct kview_set *set);
void kview_returns_stop(struct kview_set *set);
void kview_watch_return(const struct kview_site *site, struct pt_regs *regs);

/* ---- policy.c: what fork and exec do ---- */

int kview_policy_enable(struct kview_view *v);

/* ---- syscall.c: the flag that sys_enter and sys_exit need ---- */

bool kview_is_syscall(const struct tracepoint *tp);
void kview_syscalls_get(struct kview_view *v);
void kview_syscalls_put(struct kview_view *v);
void kview_syscalls_enter(struct kview_space *s);
void kview_syscalls_leave(struct kview_space *s);
void kview_syscalls_forget(struct task_struct *task);
void kview_syscalls_key_changed(const struct static_key *key);
void kview_syscalls_shutdown(void);

/* ---- mirror.c, escape.c: other tracers' writes ---- */

int kview_mirror_init(void);
void kview_mirror_exit(void);
bool kview_escape_begin(void);
void kview_escape_end(bool escaped);
int kview_escape_init(void);
void kview_escape_exit(void);

/* ---- stats.c ---- */

struct kview_counters {
	u64 kthread, irq, nested, left, chained, escaped;
};

DECLARE_PER_CPU(struct kview_counters, kview_counters);
extern atomic64_t kview_mirrored;
void kview_stat_fill(struct kview_stat *st);
void kview_view_stat_fill(struct kview_view *v, struct kview_view_stat *st);
extern struct list_head kview_views;

/* ---- chardev.c, handler.c, entry.S ---- */

int kview_chardev_init(void);
void kview_chardev_exit(void);
asmlinkage unsigned long kview_handler(u32 id, struct pt_regs *regs);
void kview_run_programs(const struct kview_site *site, struct pt_regs *regs);
bool kview_in_view(struct mm_struct *mm, const struct kview_view *v);
unsigned int kview_run_all(const void *ctx, const struct bpf_insn *insn);
extern char kview_entry[];

/* Switches that turn one safety mechanism off, to prove that tests see it. */
extern bool kview_unsafe_no_mirror, kview_unsafe_no_escape, kview_unsafe_keep_global;

#endif /* KVIEW_INTERNAL_H */
