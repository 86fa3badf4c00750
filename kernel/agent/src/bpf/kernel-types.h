/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The few fields of kernel structures that the eBPF programs read.  libbpf relocates
 * each access to the running kernel's layout (CO-RE), so only names and types matter
 * here and the build needs nothing of the build machine's own kernel.
 */
#ifndef KVIEW_KERNEL_TYPES_H
#define KVIEW_KERNEL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>
#include <linux/bpf.h>
#include <asm/ptrace.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

#ifdef __TARGET_ARCH_arm64
struct pt_regs {
	__u64 regs[31];
	__u64 sp;
	__u64 pc;
	__u64 orig_x0;
	__s32 syscallno;
};
#endif

typedef struct {
	int counter;
} atomic_t;

struct rq {
	__u64 clock;
	__u64 clock_task;
	__u64 prev_steal_time_rq;	/* with CONFIG_PARAVIRT_TIME_ACCOUNTING */
	int cpu;			/* with CONFIG_SMP */
};

struct cfs_rq {
	struct rq *rq;			/* with CONFIG_FAIR_GROUP_SCHED */
	int throttle_count;		/* with CONFIG_CFS_BANDWIDTH */
};

struct sched_entity {
	__u64 exec_start;
	__u64 sum_exec_runtime;
	unsigned char sched_delayed;	/* since Linux 6.12: it waits, and is in the queue as if it ran */
	struct cfs_rq *cfs_rq;
};

struct super_block {
	unsigned long s_magic;
};

struct inode {
	unsigned short i_mode;
	unsigned long i_ino;
	struct super_block *i_sb;
};

struct qstr {
	__u64 hash_len;			/* the lower half depends on the folder as well; 0: of no folder */
	const unsigned char *name;
};

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
};

struct vfsmount {
	struct dentry *mnt_root;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file {
	struct inode *f_inode;
	struct path f_path;
	void *private_data;
};

struct fs_struct {
	struct path root;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	atomic_t count;			/* threads that share it */
	struct fdtable *fdt;
};

struct xol_area {
	unsigned long vaddr;
};

struct uprobes_state {
	struct xol_area *xol_area;
};

struct bvec_iter {
	unsigned int bi_size;
};

struct bio {
	unsigned int bi_opf;
	struct bvec_iter bi_iter;
};

struct request;

struct blk_flush_queue {
	struct request *flush_rq;
};

struct blk_mq_hw_ctx {
	struct blk_flush_queue *fq;
};

struct request {
	struct blk_mq_hw_ctx *mq_hctx;
	struct bio *bio;
	struct bio *biotail;
	unsigned int cmd_flags;
	unsigned int __data_len;
	unsigned long long start_time_ns;
};

struct mm_struct {
	struct uprobes_state uprobes_state;
	unsigned long start_stack;
};

struct uprobe_task {
	unsigned int depth;		/* return probes that are pending */
};

struct bpf_run_ctx {
};

struct bpf_session_run_ctx {
	struct bpf_run_ctx run_ctx;
	bool is_return;
};

struct bpf_uprobe {
	__u64 cookie;
};

struct bpf_uprobe_multi_run_ctx {
	struct bpf_session_run_ctx session_ctx;
	struct bpf_uprobe *uprobe;
};

struct thread_info {
	__u32 status;			/* of x86 */
};

struct signal_struct {
	atomic_t live;			/* threads that have not begun to end */
	unsigned long long sum_sched_runtime;	/* of threads that have ended */
};

struct thread_struct {
	unsigned long fsbase;		/* of x86-64 */
};

struct upid {
	int nr;
};

struct pid {
	unsigned int level;		/* of namespaces; 0: the host's own */
	struct upid numbers[1];
};

struct sched_info {
	unsigned long pcount;		/* how often it has come to a CPU */
	unsigned long long run_delay;	/* that it waited for a CPU, in all */
	unsigned long long last_arrival;	/* when it came to a CPU, by rq->clock */
};

struct list_head {
	struct list_head *next;
};

enum perf_event_state {
	PERF_EVENT_STATE_ACTIVE = 1,
};

struct perf_event {
	struct list_head event_entry;
	enum perf_event_state state;
	__u64 tstamp;			/* of its context's time, as it last became what it is */
};

struct perf_event_context {
	struct list_head event_list;
	__u64 timeoffset;		/* since Linux 5.17: from the scheduler's clock to its time, while it is on a CPU */
};

struct kernfs_node {
	__u64 id;
};

struct cgroup {
	struct kernfs_node *kn;
	int level;
	struct cgroup *ancestors[0];
};

struct css_set {
	struct cgroup *dfl_cgrp;	/* of version 2 */
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int __state;
	void *stack;
	unsigned int flags;
	int on_cpu;			/* with CONFIG_SMP */
	int on_rq;			/* 0: it waits, or is being moved */
	unsigned long nvcsw;
	unsigned long nivcsw;
	unsigned long min_flt;
	unsigned long maj_flt;
	__u64 start_time;
	__u64 start_boottime;
	int pid;
	int tgid;
	struct pid *thread_pid;
	int exit_code;
	unsigned int in_iowait:1;
	unsigned int frozen:1;		/* with CONFIG_CGROUPS */
	bool throttled;			/* with CONFIG_CFS_BANDWIDTH, since Linux 6.18 */
	unsigned long jobctl;
	unsigned long sas_ss_sp;
	unsigned long sas_ss_size;
	struct sched_entity se;
	struct sched_info sched_info;	/* with CONFIG_SCHED_INFO */
	struct mm_struct *mm;
	__u64 self_exec_id;		/* another one after each execve */
	struct task_struct *group_leader;
	struct task_struct *real_parent;
	struct signal_struct *signal;
	struct css_set *cgroups;	/* with CONFIG_CGROUPS */
	struct fs_struct *fs;
	struct files_struct *files;
	struct uprobe_task *utask;
	struct bpf_run_ctx *bpf_ctx;
	struct thread_struct thread;
	struct perf_event_context *perf_event_ctxp;	/* before Linux 6.2 there are two */
	char comm[16];
};

#pragma clang attribute pop

/* Contexts are ABI: not relocated. */
struct bpf_iter_meta {
	struct seq_file *seq;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

#endif
