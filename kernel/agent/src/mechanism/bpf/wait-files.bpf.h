/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which file, pipe or socket a thread waits with: what the descriptor is open for that its system call got.
 *
 * It is read as the thread leaves its CPU: later another thread may have closed the descriptor, and opened it for something
 * else.  What is open there is described at once, when it is first met; so nobody has to find it afterwards.
 */
#ifndef KVIEW_WAIT_FILES_BPF_H
#define KVIEW_WAIT_FILES_BPF_H

#include "mechanism/bpf/wait-sockets.bpf.h"
#include "mechanism/bpf/waits.h"

#define PIPEFS_MAGIC	0x50495045
#define TS_COMPAT	2
#define S_IFREG		0100000
#define S_IFDIR		0040000
#define S_IFBLK		0060000
#define IORING_ENTER_REGISTERED_RING	(1U << 4)	/* since Linux 5.18 */
#define PATH_STEPS	48
#define WATCHED_STEPS	128
#define WATCHED_NS	500000000ULL
#ifndef E2BIG
#define E2BIG	7
#endif

/* Set before load: of which system calls to ask. */
volatile const __u8 names_descriptor[XP_SYSCALLS];

/* By its number, which is made of all that tells it from others. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, struct xp_wait_file);
} wait_files SEC(".maps");

/* Where one is described: too large for the programs' own stack. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct xp_wait_file);
} read_files SEC(".maps");

bool wait_files_full;

/*
 * A file that was removed may have left its inode to another one, whose name, or its folder's, is another one.  One file may have
 * several paths, by its mounts.  What has no folder may have no inode of its own either.
 */
static __always_inline u64 wait_file__number(struct file *file, u32 descriptor)
{
	u64 name = BPF_CORE_READ(file, f_path.dentry, d_name.hash_len), number = 0xcbf29ce484222325ULL;

	number = number__with(number, descriptor);
	number = number__with(number, BPF_CORE_READ(file, f_inode, i_ino));
	if ((u32)name) {
		number = number__with(number, name);
		number = number__with(number, BPF_CORE_READ(file, f_path.dentry, d_parent, d_name.hash_len));
		number = number__with(number, (u64)BPF_CORE_READ(file, f_path.mnt));
	} else {
		number = number__with(number, (u64)file);
		if (is_socket(file))
			number = socket__number(number, sock__of(file));
	}
	return number <= XP_FILE_NO_ROOM ? ~number : number;
}

/* From a file to the root of those that its process sees. */
struct path_walk {
	struct dentry *dentry, *root;
	struct vfsmount *mount, *root_mount;
	struct xp_wait_file *file;
	u32 used;
	bool is_whole, is_unreachable;
};

static long path__step(u32 round, void *context)
{
	struct path_walk *w = context;
	struct dentry *dentry = w->dentry, *parent;
	struct vfsmount *seen = w->mount;
	struct mount *mount, *outer;
	u32 used = w->used;
	long length;

	if (dentry == w->root && seen == w->root_mount) {
		w->is_whole = true;
		return 1;
	}
	if (dentry == BPF_CORE_READ(seen, mnt_root)) {
		mount = (struct mount *)((void *)seen - bpf_core_field_offset(struct mount, mnt));
		outer = BPF_CORE_READ(mount, mnt_parent);
		if (!outer || outer == mount) {
			w->is_whole = w->is_unreachable = true;
			return 1;
		}
		w->dentry = BPF_CORE_READ(mount, mnt_mountpoint);
		w->mount = (struct vfsmount *)((void *)outer + bpf_core_field_offset(struct mount, mnt));
		return 0;
	}
	parent = BPF_CORE_READ(dentry, d_parent);
	if (!parent || parent == dentry) {
		w->is_whole = w->is_unreachable = true;
		return 1;
	}
	if (used >= XP_PATH_BYTES)
		return 1;
	length = bpf_probe_read_kernel_str(w->file->names + BOUND(used, XP_PATH_BYTES - 1), XP_PATH_BYTES,
					   BPF_CORE_READ(dentry, d_name.name));
	if (length <= 0)
		return 1;
	w->used = used + length;
	w->file->parts++;
	w->dentry = parent;
	return 0;
}

static __always_inline void wait_file__fill_path(struct xp_wait_file *f, struct file *file, struct task_struct *task)
{
	struct path_walk w = {
		.dentry = BPF_CORE_READ(file, f_path.dentry), .mount = BPF_CORE_READ(file, f_path.mnt),
		.root = BPF_CORE_READ(task, fs, root.dentry), .root_mount = BPF_CORE_READ(task, fs, root.mnt), .file = f,
	};

	f->kind = XP_FILE_PATH;
	bpf_loop(PATH_STEPS, path__step, &w, 0);
	f->is_cut = !w.is_whole;
	f->is_unreachable = w.is_unreachable;
}

/* Through the tree of what an epoll watches: each node before those below it. */
struct watched_walk {
	struct rb_node *node;
	struct xp_wait_file *file;
	bool goes_up;
};

static __always_inline u32 watched__kind(struct file *file)
{
	unsigned int type = BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT;

	if (type == S_IFSOCK)
		return XP_WATCHED_SOCKETS;
	if (type == S_IFIFO)
		return XP_WATCHED_PIPES;
	if (BPF_CORE_READ(file, f_inode, i_sb, s_magic) != ANON_INODE_FS_MAGIC)
		return XP_WATCHED_OTHERS;
	switch (cause__of_anonymous_file(file)) {
	case XP_LOCK:
		return XP_WATCHED_EVENTS;
	case XP_SLEEP:
		return XP_WATCHED_TIMERS;
	default:
		return XP_WATCHED_OTHERS;
	}
}

static long watched__step(u32 round, void *context)
{
	struct watched_walk *w = context;
	struct rb_node *node = w->node, *left, *right, *parent;
	struct epitem *item;
	u32 kind;

	if (w->goes_up) {
		parent = (struct rb_node *)(BPF_CORE_READ(node, __rb_parent_color) & ~3UL);
		w->node = parent;
		if (!parent)
			return 1;
		right = BPF_CORE_READ(parent, rb_right);
		if (right && node != right) {
			w->node = right;
			w->goes_up = false;
		}
		return 0;
	}
	item = (struct epitem *)((void *)node - bpf_core_field_offset(struct epitem, rbn));
	kind = BOUND(watched__kind(BPF_CORE_READ(item, ffd.file)), 7);
	if (kind < XP_WATCHED_KINDS)
		w->file->watched[kind]++;
	left = BPF_CORE_READ(node, rb_left);
	right = BPF_CORE_READ(node, rb_right);
	if (left)
		w->node = left;
	else if (right)
		w->node = right;
	else
		w->goes_up = true;
	return 0;
}

static __always_inline void wait_file__fill_epoll(struct xp_wait_file *f, struct file *file)
{
	struct eventpoll *epoll = BPF_CORE_READ(file, private_data);
	struct watched_walk w = { .file = f };

	f->kind = XP_FILE_EPOLL;
	if (!bpf_core_field_exists(((struct eventpoll *)0)->rbr) || !epoll)
		return;
	w.node = BPF_CORE_READ(epoll, rbr.rb_root.rb_node);
	if (!w.node)
		return;
	bpf_loop(WATCHED_STEPS, watched__step, &w, 0);
	f->is_cut = w.node != NULL;
}

static __always_inline void wait_file__fill_name(struct xp_wait_file *f, struct file *file)
{
	bpf_probe_read_kernel_str(f->names, XP_PATH_BYTES, BPF_CORE_READ(file, f_path.dentry, d_name.name));
}

static __always_inline void wait_file__fill(struct xp_wait_file *f, struct file *file, struct task_struct *task, u32 descriptor)
{
	unsigned long magic = BPF_CORE_READ(file, f_inode, i_sb, s_magic);

	__builtin_memset(f, 0, sizeof(*f));
	f->inode = BPF_CORE_READ(file, f_inode, i_ino);
	f->mode = BPF_CORE_READ(file, f_inode, i_mode);
	f->descriptor = descriptor;
	f->looked_ns = bpf_ktime_get_ns();
	if (magic == SOCKFS_MAGIC) {
		wait_file__fill_socket(f, file);
	} else if (magic == PIPEFS_MAGIC) {
		f->kind = XP_FILE_PIPE;
	} else if (magic == ANON_INODE_FS_MAGIC) {
		f->kind = XP_FILE_ANONYMOUS;
		wait_file__fill_name(f, file);
		if (*(u64 *)f->names == *(const u64 *)"[eventpo")
			wait_file__fill_epoll(f, file);
	} else if (!(u32)BPF_CORE_READ(file, f_path.dentry, d_name.hash_len) &&
		   BPF_CORE_READ(file, f_path.dentry) != BPF_CORE_READ(file, f_path.mnt, mnt_root)) {
		f->kind = XP_FILE_ANONYMOUS;
		wait_file__fill_name(f, file);
	} else {
		wait_file__fill_path(f, file, task);
	}
}

static __always_inline bool wait_file__is_old(const struct xp_wait_file *f)
{
	return f->kind == XP_FILE_EPOLL && bpf_ktime_get_ns() - f->looked_ns > WATCHED_NS;
}

/* For a disk it may wait where it copies from or to memory that is not there, whatever the descriptor is open for. */
static __always_inline bool wait_file__is_on_disk(struct file *file)
{
	unsigned int type = BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT;

	return type == S_IFREG || type == S_IFDIR || type == S_IFBLK;
}

static __always_inline u64 wait_file__of(struct task_struct *task, u64 descriptor, u8 cause)
{
	struct file *file = file__of_descriptor(task, (u32)descriptor);
	struct xp_wait_file *known, *read;
	u32 zero = 0;
	u64 number;

	if (!file || (cause == XP_BLOCK_IO && !wait_file__is_on_disk(file)))
		return XP_FILE_NONE;
	number = wait_file__number(file, descriptor);
	known = bpf_map_lookup_elem(&wait_files, &number);
	if (known && !wait_file__is_old(known))
		return number;
	if (!known && READ_ONCE(wait_files_full))
		return XP_FILE_NO_ROOM;
	read = bpf_map_lookup_elem(&read_files, &zero);
	if (!read)
		return XP_FILE_NONE;
	wait_file__fill(read, file, task, descriptor);
	/* What it watches may be another's by now: that one is told from then on. */
	if (known) {
		bpf_map_update_elem(&wait_files, &number, read, BPF_EXIST);
		return number;
	}
	if (bpf_map_update_elem(&wait_files, &number, read, BPF_NOEXIST) == -E2BIG)
		WRITE_ONCE(wait_files_full, true);
	return bpf_map_lookup_elem(&wait_files, &number) ? number : XP_FILE_NO_ROOM;
}

/* Its numbers, and what its registers hold, are those of another kind of programs. */
static __always_inline bool task__is_in_compat_call(struct task_struct *task)
{
	return bpf_core_field_exists(task->thread_info.status) && task->thread_info.status & TS_COMPAT;
}

/* Who was stopped, lacks a page or had to leave its CPU waits for none.  Of a ring that is registered the argument is an index. */
static __always_inline bool waits_by_descriptor(u8 cause, long syscall, const struct pt_regs *regs)
{
	if (cause == XP_STOPPED || cause == XP_PAGE_FAULT || cause == XP_PREEMPTED || cause == XP_THROTTLED)
		return false;
	if (syscall == NR_IO_URING_ENTER && REGS_ARGUMENT_4(regs) & IORING_ENTER_REGISTERED_RING)
		return false;
	return names_descriptor[BOUND(syscall, XP_SYSCALLS - 1)];
}

#endif
