/* SPDX-License-Identifier: GPL-2.0 */
/* Who may use the module; who made a view, a set or an attachment, and what it is called. */
#ifndef KVIEW_MODULE_IDENTITY_H
#define KVIEW_MODULE_IDENTITY_H

#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include "kview.h"

struct pid;

/*
 * May current use the module?  With CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN, in a kernel that is
 * not locked down against kprobes.
 */
bool kview_capable(void);

/* All zero: of the module's own, or without a file.  Under kview_lock. */
struct kview_identity {
	u64 id;				/* from 1 on; never given twice */
	u64 since;			/* CLOCK_BOOTTIME, ns */
	struct pid *owner;		/* held */
	kuid_t uid;			/* the owner's effective user */
	char comm[TASK_COMM_LEN];
	char name[KVIEW_NAME_SIZE];	/* ends with a NUL; empty: none */
};

/* The first three under kview_lock. */

/* Gives what current has made its id: just before its file. */
void kview_identity_init(struct kview_identity *who);
/* Names it; current is its owner from then on.  -EINVAL: no name; nothing is changed. */
int kview_identity_name(struct kview_identity *who, const struct kview_name *name);
/* Fills in what an item says of it, as current's namespaces have it; leaves the rest as it is. */
void kview_identity_tell(const struct kview_identity *who, struct kview_item *item);
/* Lets go of the owner; also of what is all zero. */
void kview_identity_free(struct kview_identity *who);

/* A process's number as current sees it; 0: not from there, it has ended, or @pid is NULL. */
u32 kview_pid_seen(struct pid *pid);

#endif
