// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

int target__count(const struct target *t)
{
	return (t->pid > 0) + !!t->cgroup + !!t->device + !!t->napi_id;
}

/* Who has what can't be attached. */
static void name_owner(const struct kview_view *v, const char *what)
{
	const struct kview_item *o = kview_view__owner(v);

	if (!o)
		return;
	fprintf(stderr, "kviewctl: %s attachment %llu of view %llu", what, o->id, o->view);
	if (o->name[0])
		fprintf(stderr, " (%.*s)", (int)sizeof(o->name), o->name);
	fprintf(stderr, ", of process %u (%.*s)\n", o->owner_pid, (int)sizeof(o->owner_comm),
		o->owner_comm);
}

static void complain(const struct target *t, const struct kview_view *v)
{
	int err = errno;

	if (t->cgroup)
		fprintf(stderr, "kviewctl: attaching cgroup %s: %s\n", t->cgroup,
			err == EBADF ? "not a directory of cgroup v2" :
			err == EPERM ? "it takes CAP_SYS_PTRACE, too" : strerror(err));
	else if (t->device || t->napi_id)
		fprintf(stderr, "kviewctl: attaching the queue: %s\n",
			err == EBUSY ? "it is in a view already" :
			err == ENXIO ? "no such device, queue or NAPI instance" :
			err == EOPNOTSUPP ?
				"no thread polls it; write 1 to /sys/class/net/DEVICE/threaded" :
			err == EPERM ? "it takes CAP_NET_ADMIN, too" : strerror(err));
	else
		fprintf(stderr, "kviewctl: attaching process %d: %s\n", t->pid,
			err == EBUSY ? "it is in this view already" :
			err == EUSERS ? "as many others trace it as can" :
			err == EADDRNOTAVAIL ?
				"another tracer has a kprobe in the text of a tracepoint, or is changing the kernel's text" :
			err == EINVAL ? "a kernel thread" : strerror(err));
	if (err == EBUSY || err == EUSERS)
		name_owner(v, err == EBUSY ? "it is" : "one of them is");
}

struct kview_attachment *target__attach(const struct target *t, struct kview_view *v)
{
	struct kview_attachment *a =
		t->cgroup ? kview_view__attach_cgroup(v, t->cgroup) :
		t->device ? kview_view__attach_queue(v, t->device, t->queue) :
		t->napi_id ? kview_view__attach_napi(v, t->napi_id) :
			     kview_view__attach(v, t->pid, t->flags);

	if (!a)
		complain(t, v);
	return a;
}

void target__label(const struct target *t, char *label, size_t size)
{
	char *path = t->cgroup ? realpath(t->cgroup, NULL) : NULL;

	if (t->cgroup)
		snprintf(label, size, "cgroup %s", path ? path : t->cgroup);
	else if (t->device)
		snprintf(label, size, "device %s queue %u", t->device, t->queue);
	else if (t->napi_id)
		snprintf(label, size, "napi %u", t->napi_id);
	else
		snprintf(label, size, "process %d", t->pid);
	free(path);
}
