// SPDX-License-Identifier: GPL-2.0
/*
 * Attachments' part of /dev/kview: processes, cgroups and receive queues by the fds that
 * closing undoes.
 */
#include <linux/anon_inodes.h>
#include <linux/capability.h>
#include <linux/cgroup.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/ptrace.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "kview.h"
#include "attach.h"
#include "cgroup.h"
#include "chardev_attach.h"
#include "flow.h"
#include "follow.h"
#include "identity.h"
#include "ioctl.h"
#include "item.h"
#include "lock.h"
#include "memory.h"
#include "space.h"
#include "syscall.h"
#include "view.h"

/* ---- an attachment's fd ---- */

static int kview_attach_release(struct inode *inode, struct file *file)
{
	struct kview_attachment *att = file->private_data;

	if (att->flow)
		kview_flow_detach(att);
	else
		kview_detach(att);
	return 0;
}

static long kview_attach_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct kview_attachment *att = file->private_data;
	struct kview_attach_stat st = {};

	if (KVIEW_ANY_SIZE(cmd) != KVIEW_ANY_SIZE(KVIEW_ATTACH_STAT))
		return kview_item_ioctl(KVIEW_ITEM_ATTACHMENT, att, cmd, (void __user *)arg);
	mutex_lock(&kview_lock);
	st.processes = att->nspaces;
	st.joined = att->joined;
	st.left = att->left;
	st.elsewhere = READ_ONCE(att->elsewhere);	/* of a look that is over, or the next */
	mutex_unlock(&kview_lock);
	st.join_failed = atomic_read(&att->join_failed);
	st.attach_ns = att->attach_ns;
	return kview_arg_put(cmd, &st, sizeof(st), (void __user *)arg);
}

/* Nobody is in it any more, nor will be. */
static __poll_t kview_attach_poll(struct file *file, struct poll_table_struct *wait)
{
	struct kview_attachment *att = file->private_data;

	poll_wait(file, &att->emptied, wait);
	return kview_attachment_ended(att) ? EPOLLHUP : 0;
}

static void kview_attach_fdinfo(struct seq_file *m, struct file *file)
{
	kview_item_show(KVIEW_ITEM_ATTACHMENT, file->private_data, m);
}

static const struct file_operations kview_attach_fops = {
	.owner = THIS_MODULE,
	.poll = kview_attach_poll,
	.show_fdinfo = kview_attach_fdinfo,
	.release = kview_attach_release,
	.unlocked_ioctl = kview_attach_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static int kview_attach_task(struct kview_view *v, struct task_struct *task, struct pid *pid,
			     u32 flags, struct kview_attachment **att, struct kview_item *busy)
{
	struct mm_struct *mm;
	int ret;

	if (task->flags & PF_KTHREAD)
		return -EINVAL;
	if (!kview_sym.ptrace_may_access(task, PTRACE_MODE_ATTACH_REALCREDS))
		return -EACCES;
	mm = get_task_mm(task);
	if (!mm)
		return -ESRCH;
	ret = kview_attach(v, mm, pid, flags, att);
	if (!ret) {
		/* a child by vfork, which shares its memory: it cannot be alone in that, then */
		if (atomic_read(&mm->mm_users) > 2)
			kview_follow_execs(*att, mm);
		kview_syscalls_entered(*att);
	}
	if (ret == -EBUSY || ret == -EUSERS)
		kview_item_of_mm(mm, ret == -EBUSY ? v : NULL, busy);
	mmput(mm);
	return ret;
}

/*
 * Never in the middle of an execve, which would leave the view unseen, or with other
 * credentials than those that were asked about.
 */
static int kview_attach_pid(struct kview_view *v, struct pid *pid, u32 flags,
			    struct kview_attachment **att, struct kview_item *busy)
{
	struct task_struct *leader = get_pid_task(pid, PIDTYPE_TGID), *task;
	int ret = -ESRCH;

	if (!leader)
		return -ESRCH;
	if (mutex_lock_killable(&leader->signal->cred_guard_mutex)) {
		put_task_struct(leader);
		return -EINTR;
	}
	/* execve makes its caller the leader */
	task = get_pid_task(pid, PIDTYPE_TGID);
	if (task) {
		ret = kview_attach_task(v, task, pid, flags, att, busy);
		put_task_struct(task);
	}
	mutex_unlock(&leader->signal->cred_guard_mutex);
	put_task_struct(leader);
	return ret;
}

static int kview_attach_pidfd(struct kview_view *v, int fd, u32 flags,
			      struct kview_attachment **att, struct kview_item *busy)
{
	struct file *file = fget(fd);
	struct pid *pid;
	int ret;

	if (!file)
		return -EBADF;
	pid = kview_sym.pidfd_pid(file);
	ret = IS_ERR(pid) ? -EBADF : kview_attach_pid(v, pid, flags, att, busy);
	fput(file);
	return ret;
}

static int kview_attachment_fd(struct kview_attachment *att, const char *name)
{
	mutex_lock(&kview_lock);
	kview_identity_init(&att->who);
	mutex_unlock(&kview_lock);
	return kview_should_fail() ? -EMFILE :
	       anon_inode_getfd(name, &kview_attach_fops, att, O_RDWR | O_CLOEXEC);
}

/* Returns its fd; when there is none, detaches it. */
static int kview_attachment_open(struct kview_attachment *att)
{
	int ret = kview_attachment_fd(att, "[kview-attach]");

	if (ret < 0)
		kview_attach_undo(att);
	return ret;
}

/* Returns @ret; where somebody has it already the user may want to know who. */
static int kview_tell_owner(int ret, const struct kview_item *busy, u64 owner, u32 size)
{
	if ((ret == -EBUSY || ret == -EUSERS) && owner &&
	    kview_element_put(owner, 0, size, busy, sizeof(*busy)))
		return -EFAULT;
	return ret;
}

long kview_view_attach(struct kview_view *v, unsigned int cmd, void __user *user)
{
	struct kview_attachment *att;
	struct kview_item busy = {};
	struct kview_attach arg;
	int ret;

	if (!kview_capable())
		return -EPERM;
	ret = kview_arg_get(cmd, &arg, sizeof(arg), user);
	if (ret)
		return ret;
	if (arg.flags & ~(KVIEW_ATTACH_FORK | KVIEW_ATTACH_EXEC) || arg.reserved ||
	    !arg.owner != !arg.owner_size)
		return -EINVAL;
	ret = kview_attach_pidfd(v, arg.pidfd, arg.flags, &att, &busy);
	return ret ? kview_tell_owner(ret, &busy, arg.owner, arg.owner_size) :
		     kview_attachment_open(att);
}

/* Who comes later cannot be asked about now: whose process it is must not matter. */
long kview_view_attach_cgroup(struct kview_view *v, unsigned int cmd, const void __user *user)
{
	struct kview_attachment *att;
	struct kview_attach_cgroup arg;
	struct cgroup *cgrp;
	int ret;

	if (!kview_capable() || !capable(CAP_SYS_PTRACE))
		return -EPERM;
	ret = kview_arg_get(cmd, &arg, sizeof(arg), user);
	if (ret)
		return ret;
	if (arg.flags)
		return -EINVAL;
	cgrp = cgroup_get_from_fd(arg.cgroup_fd);
	if (IS_ERR(cgrp))
		return PTR_ERR(cgrp);
	ret = kview_cgroup_attach(v, cgrp, &att);
	return ret ? ret : kview_attachment_open(att);
}

long kview_view_attach_flow(struct kview_view *v, unsigned int cmd, void __user *user)
{
	struct kview_attachment *att;
	struct kview_attach_flow arg;
	struct kview_item busy = {};
	struct mm_struct *mm = NULL;
	int ret;

	if (!kview_capable())
		return -EPERM;
	ret = kview_arg_get(cmd, &arg, sizeof(arg), user);
	if (ret)
		return ret;
	if (arg.flags || !arg.ifindex == !arg.napi_id || (arg.napi_id && arg.queue) ||
	    arg.reserved || !arg.owner != !arg.owner_size)
		return -EINVAL;
	ret = kview_flow_attach(v, &arg, &att, &mm);
	if (ret && mm)
		kview_item_of_mm(mm, NULL, &busy);
	if (ret)
		return kview_tell_owner(ret, &busy, arg.owner, arg.owner_size);
	ret = kview_attachment_fd(att, "[kview-flow]");
	if (ret < 0)
		kview_flow_undo(att);
	return ret;
}
