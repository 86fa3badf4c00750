// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libkview.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

struct kview {
	int fd;
};

struct kview_view {
	int fd;
	struct kview_item owner;	/* see kview_view__owner() */
};

struct kview_set {
	int fd;
	size_t size;
};

struct kview_attachment {
	int fd;
};

static int kview_ioctl(int fd, unsigned long cmd, void *arg)
{
	int ret = ioctl(fd, cmd, arg);

	return ret < 0 ? -errno : ret;
}

/* An object of @size bytes that starts with the fd; closes the fd on failure. */
static void *kview_object(int fd, size_t size)
{
	int *obj;

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	obj = calloc(1, size);
	if (!obj) {
		close(fd);
		errno = ENOMEM;
		return NULL;
	}
	*obj = fd;
	return obj;
}

/* The fd is an object's first member; free(NULL) is fine. */
static void kview_object_free(void *obj)
{
	int err = errno;

	if (obj)
		close(*(int *)obj);
	free(obj);
	errno = err;
}

struct kview *kview__open(void)
{
	int fd = open("/dev/kview", O_RDWR | O_CLOEXEC);

	return kview_object(fd < 0 ? -errno : fd, sizeof(struct kview));
}

void kview__free(struct kview *k)
{
	kview_object_free(k);
}

int kview__info(struct kview *k, struct kview_info *info)
{
	return kview_ioctl(k->fd, KVIEW_INFO, info);
}

int kview__stat(struct kview *k, struct kview_stat *st)
{
	return kview_ioctl(k->fd, KVIEW_STAT, st);
}

int kview__list(struct kview *k, struct kview_item **items, size_t *n)
{
	struct kview_list arg = { .item_size = sizeof(**items), .count = 64 };
	struct kview_item *buf = NULL, *more;
	int ret;

	for (;;) {
		more = realloc(buf, arg.count * sizeof(*buf));
		ret = -ENOMEM;
		if (!more)
			break;
		buf = more;
		arg.buf = (uintptr_t)buf;
		ret = kview_ioctl(k->fd, KVIEW_LIST, &arg);
		if (ret || arg.total <= arg.count)
			break;
		arg.count = arg.total + 16;
	}
	if (ret) {
		free(buf);
		return ret;
	}
	*items = buf;
	*n = arg.total;
	return 0;
}

static int kview_set_name(int fd, const char *text)
{
	struct kview_name name = { 0 };

	if (strlen(text) >= sizeof(name.name))
		return -EINVAL;
	strcpy(name.name, text);
	return kview_ioctl(fd, KVIEW_NAME, &name);
}

struct kview_view *kview_view__new(struct kview *k)
{
	struct kview_view_create arg = { 0 };

	return kview_object(kview_ioctl(k->fd, KVIEW_VIEW_CREATE, &arg), sizeof(struct kview_view));
}

void kview_view__free(struct kview_view *v)
{
	kview_object_free(v);
}

int kview_view__stat(struct kview_view *v, struct kview_view_stat *st)
{
	return kview_ioctl(v->fd, KVIEW_VIEW_STAT, st);
}

int kview_view__item(struct kview_view *v, struct kview_item *item)
{
	return kview_ioctl(v->fd, KVIEW_ITEM, item);
}

int kview_view__set_name(struct kview_view *v, const char *name)
{
	return kview_set_name(v->fd, name);
}

const struct kview_item *kview_view__owner(const struct kview_view *v)
{
	return v->owner.id ? &v->owner : NULL;
}

static struct kview_set *kview_set_new(struct kview_view *v, struct kview_set_create *arg,
				       struct kview_set_opts *opts)
{
	struct kview_set *s;
	int fd;

	arg->flags = opts ? opts->flags : 0;
	arg->results = opts ? (uintptr_t)opts->results : 0;
	arg->bad = ~0U;
	fd = kview_ioctl(v->fd, KVIEW_SET_CREATE, arg);
	if (opts)
		opts->bad = arg->bad;
	s = kview_object(fd, sizeof(*s));
	if (s)
		s->size = arg->added;
	return s;
}

static struct kview_set *kview_set_by_names(struct kview_view *v, uint32_t kind,
					    const char *const *names, size_t n,
					    struct kview_set_opts *opts)
{
	struct kview_set_create arg = { .kind = kind, .count = n };
	struct kview_set *s = NULL;
	size_t size = 0, i;
	char *buf, *p;

	for (i = 0; i < n; i++)
		size += strlen(names[i]) + 1;
	if (n > UINT32_MAX || size > UINT32_MAX) {
		errno = E2BIG;
		return NULL;
	}
	buf = malloc(size + 1);
	if (!buf)
		return NULL;
	for (p = buf, i = 0; i < n; i++)
		p = stpcpy(p, names[i]) + 1;
	arg.names = (uintptr_t)buf;
	arg.names_size = size;
	s = kview_set_new(v, &arg, opts);
	free(buf);
	return s;
}

struct kview_set *kview_view__add_functions(struct kview_view *v, const char *const *names,
					    size_t n, struct kview_set_opts *opts)
{
	return kview_set_by_names(v, KVIEW_KIND_ENTRY, names, n, opts);
}

struct kview_set *kview_view__add_tracepoints(struct kview_view *v, const char *const *names,
					      size_t n, struct kview_set_opts *opts)
{
	return kview_set_by_names(v, KVIEW_KIND_TRACEPOINT, names, n, opts);
}

struct kview_set *kview_view__add_returns(struct kview_view *v, const char *const *names,
					  size_t n, struct kview_set_opts *opts)
{
	return kview_set_by_names(v, KVIEW_KIND_RETURN, names, n, opts);
}

struct kview_set *kview_view__add_events(struct kview_view *v, const char *const *names,
					 size_t n, struct kview_set_opts *opts)
{
	return kview_set_by_names(v, KVIEW_KIND_EVENT, names, n, opts);
}

static struct kview_set *kview_set_by_addresses(struct kview_view *v, uint32_t kind,
						const uint64_t *addrs, size_t n,
						struct kview_set_opts *opts)
{
	struct kview_set_create arg = {
		.kind = kind,
		.addrs = (uintptr_t)addrs,
		.count = n,
	};

	if (n > UINT32_MAX) {
		errno = E2BIG;
		return NULL;
	}
	return kview_set_new(v, &arg, opts);
}

struct kview_set *kview_view__add_addresses(struct kview_view *v, const uint64_t *addrs,
					    size_t n, struct kview_set_opts *opts)
{
	return kview_set_by_addresses(v, KVIEW_KIND_ENTRY, addrs, n, opts);
}

struct kview_set *kview_view__add_return_addresses(struct kview_view *v, const uint64_t *addrs,
						   size_t n, struct kview_set_opts *opts)
{
	return kview_set_by_addresses(v, KVIEW_KIND_RETURN, addrs, n, opts);
}

void kview_set__free(struct kview_set *s)
{
	kview_object_free(s);
}

size_t kview_set__size(const struct kview_set *s)
{
	return s->size;
}

int kview_set__add_prog(struct kview_set *s, int prog_fd, uint64_t cookie,
			const uint64_t *cookies)
{
	struct kview_prog_add arg = {
		.prog_fd = prog_fd,
		.cookie = cookie,
		.cookies = (uintptr_t)cookies,
	};

	return kview_ioctl(s->fd, KVIEW_PROG_ADD, &arg);
}

int kview_set__del_prog(struct kview_set *s, int prog_fd)
{
	struct kview_prog_del arg = { .prog_fd = prog_fd };

	return kview_ioctl(s->fd, KVIEW_PROG_DEL, &arg);
}

int kview_set__stat(struct kview_set *s, struct kview_set_stat *st)
{
	return kview_ioctl(s->fd, KVIEW_SET_STAT, st);
}

int kview_set__item(struct kview_set *s, struct kview_item *item)
{
	return kview_ioctl(s->fd, KVIEW_ITEM, item);
}

int kview_set__set_name(struct kview_set *s, const char *name)
{
	return kview_set_name(s->fd, name);
}

int kview_set__hits(struct kview_set *s, size_t first, size_t n, int cpu, uint64_t *hits)
{
	struct kview_hits arg = {
		.buf = (uintptr_t)hits,
		.first = first,
		.count = n,
		.cpu = cpu,
	};

	if (first > UINT32_MAX || n > UINT32_MAX)
		return -ERANGE;
	return kview_ioctl(s->fd, KVIEW_HITS, &arg);
}

int kview_set__losses(struct kview_set *s, size_t first, size_t n,
		      struct kview_site_losses *losses)
{
	struct kview_losses arg = {
		.buf = (uintptr_t)losses,
		.first = first,
		.count = n,
	};

	if (first > UINT32_MAX || n > UINT32_MAX)
		return -ERANGE;
	return kview_ioctl(s->fd, KVIEW_LOSSES, &arg);
}

struct kview_attachment *kview_view__attach_pidfd(struct kview_view *v, int pidfd, uint32_t flags)
{
	struct kview_attach arg = {
		.pidfd = pidfd,
		.flags = flags,
		.owner = (uintptr_t)&v->owner,
	};

	v->owner.id = 0;
	return kview_object(kview_ioctl(v->fd, KVIEW_ATTACH, &arg),
			    sizeof(struct kview_attachment));
}

struct kview_attachment *kview_view__attach(struct kview_view *v, pid_t pid, uint32_t flags)
{
	int pidfd = syscall(SYS_pidfd_open, pid, 0), err;
	struct kview_attachment *a;

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
	return kview_object(kview_ioctl(v->fd, KVIEW_ATTACH_FLOW, arg),
			    sizeof(struct kview_attachment));
}

struct kview_attachment *kview_view__attach_queue(struct kview_view *v, const char *device,
						  uint32_t queue)
{
	struct kview_attach_flow arg = { .ifindex = if_nametoindex(device), .queue = queue };

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
	return kview_set_name(a->fd, name);
}

struct kview_view *kview_view__adopt(int fd)
{
	return kview_object(fd < 0 ? -EBADF : fd, sizeof(struct kview_view));
}

struct kview_attachment *kview_attachment__adopt(int fd)
{
	return kview_object(fd < 0 ? -EBADF : fd, sizeof(struct kview_attachment));
}

int kview__fd(const struct kview *k)
{
	return k->fd;
}

int kview_view__fd(const struct kview_view *v)
{
	return v->fd;
}

int kview_set__fd(const struct kview_set *s)
{
	return s->fd;
}

int kview_attachment__fd(const struct kview_attachment *a)
{
	return a->fd;
}
