// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "object.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

struct kview_attachment *kview_view__attach_pidfd(struct kview_view *v, int pidfd, uint32_t flags)
{
	struct kview_attach arg = {
		.pidfd = pidfd,
		.flags = flags,
		.owner = (uintptr_t)&v->owner,
		.owner_size = sizeof(v->owner),
	};

	v->owner.id = 0;
	return kview_object(kview_ioctl(v->fd, KVIEW_ATTACH, &arg),
			    sizeof(struct kview_attachment));
}

struct kview_attachment *kview_view__attach(struct kview_view *v, pid_t pid, uint32_t flags)
{
	int pidfd = syscall(SYS_pidfd_open, pid, 0), err;
	struct kview_attachment *a;

	v->owner.id = 0;
	if (pidfd < 0)
		return NULL;
	a = kview_view__attach_pidfd(v, pidfd, flags);
	err = errno;
	close(pidfd);
	errno = err;
	return a;
}

struct kview_attachment *kview_view__attach_cgroup(struct kview_view *v, const char *path)
{
	struct kview_attach_cgroup arg = {
		.cgroup_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	};
	int ret;

	v->owner.id = 0;
	if (arg.cgroup_fd < 0)
		return NULL;
	ret = kview_ioctl(v->fd, KVIEW_ATTACH_CGROUP, &arg);
	close(arg.cgroup_fd);
	return kview_object(ret, sizeof(struct kview_attachment));
}

static struct kview_attachment *kview_attach_flow(struct kview_view *v,
						  struct kview_attach_flow *arg)
{
	v->owner.id = 0;
	arg->owner = (uintptr_t)&v->owner;
	arg->owner_size = sizeof(v->owner);
	return kview_object(kview_ioctl(v->fd, KVIEW_ATTACH_FLOW, arg),
			    sizeof(struct kview_attachment));
}

struct kview_attachment *kview_view__attach_queue(struct kview_view *v, const char *device,
						  uint32_t queue)
{
	struct kview_attach_flow arg = { .ifindex = if_nametoindex(device), .queue = queue };

	v->owner.id = 0;
	if (!arg.ifindex)
		errno = ENXIO;
	return arg.ifindex ? kview_attach_flow(v, &arg) : NULL;
}

struct kview_attachment *kview_view__attach_napi(struct kview_view *v, uint32_t napi_id)
{
	struct kview_attach_flow arg = { .napi_id = napi_id };

	return kview_attach_flow(v, &arg);
}

void kview_attachment__free(struct kview_attachment *a)
{
	kview_object_free(a);
}

int kview_attachment__stat(struct kview_attachment *a, struct kview_attach_stat *st)
{
	return kview_ioctl(a->fd, KVIEW_ATTACH_STAT, st);
}

int kview_attachment__item(struct kview_attachment *a, struct kview_item *item)
{
	return kview_ioctl(a->fd, KVIEW_ITEM, item);
}

int kview_attachment__set_name(struct kview_attachment *a, const char *name)
{
	return kview_object_name(a->fd, name);
}

struct kview_attachment *kview_attachment__adopt(int fd)
{
	return kview_object(fd < 0 ? -EBADF : fd, sizeof(struct kview_attachment));
}

int kview_attachment__fd(const struct kview_attachment *a)
{
	return a->fd;
}
