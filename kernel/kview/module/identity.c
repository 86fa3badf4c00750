// SPDX-License-Identifier: GPL-2.0
/* Who made a view, a set or an attachment, and what it is called. */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "identity.h"

bool kview_capable(void)
{
	/* what is hooked here is what kprobes could hook */
	if (security_locked_down(LOCKDOWN_KPROBES))
		return false;
	return capable(CAP_SYS_ADMIN) || (capable(CAP_BPF) && capable(CAP_PERFMON));
}

static void kview_identity_own(struct kview_identity *who)
{
	put_pid(who->owner);
	who->owner = get_pid(task_tgid(current));
	who->uid = current_euid();
	get_task_comm(who->comm, current->group_leader);
}

void kview_identity_init(struct kview_identity *who)
{
	static u64 ids;

	who->since = ktime_get_boottime_ns();
	kview_identity_own(who);
	who->id = ++ids;
}

void kview_identity_free(struct kview_identity *who)
{
	put_pid(who->owner);
}

/* Whoever names it owns it from then on: it may have been passed on. */
int kview_identity_name(struct kview_identity *who, const struct kview_name *name)
{
	size_t len = strnlen(name->name, sizeof(name->name)), i;

	if (len == sizeof(name->name))
		return -EINVAL;
	for (i = 0; i < len; i++)	/* it is shown in lines of text */
		if ((u8)name->name[i] < ' ' || name->name[i] == 0x7f)
			return -EINVAL;
	memset(who->name, 0, sizeof(who->name));
	memcpy(who->name, name->name, len);
	kview_identity_own(who);
	return 0;
}

/* Its number where the caller lives; 0: not to be seen from there, or it has ended. */
u32 kview_pid_seen(struct pid *pid)
{
	u32 nr = 0;

	rcu_read_lock();
	if (pid && pid_task(pid, PIDTYPE_PID))
		nr = pid_nr_ns(pid, task_active_pid_ns(current));
	rcu_read_unlock();
	return nr;
}

void kview_identity_tell(const struct kview_identity *who, struct kview_item *item)
{
	item->id = who->id;
	item->since_ns = who->since;
	item->owner_pid = kview_pid_seen(who->owner);
	item->owner_uid = from_kuid_munged(current_user_ns(), who->uid);
	memcpy(item->owner_comm, who->comm, sizeof(item->owner_comm));
	memcpy(item->name, who->name, sizeof(item->name));
}
