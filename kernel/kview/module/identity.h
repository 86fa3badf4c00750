/* SPDX-License-Identifier: GPL-2.0 */
/* Who may use the module; who made a view, a set or an attachment, and what it is called. */
#ifndef KVIEW_MODULE_IDENTITY_H
#define KVIEW_MODULE_IDENTITY_H

#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include "kview.h"

struct pid;

/* Whether the caller may use the module at all: CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN. */
bool kview_capable(void);

/* All zero: of the module's own, or without a file. */
struct kview_identity {
	u64 id;
	u64 since;			/* CLOCK_BOOTTIME, ns */
	struct pid *owner;
	kuid_t uid;
	char comm[TASK_COMM_LEN];
	char name[KVIEW_NAME_SIZE];
};

/* The first three under kview_lock. */
void kview_identity_init(struct kview_identity *who);
int kview_identity_name(struct kview_identity *who, const struct kview_name *name);
void kview_identity_tell(const struct kview_identity *who, struct kview_item *item);
void kview_identity_free(struct kview_identity *who);
u32 kview_pid_seen(struct pid *pid);

#endif
