// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "object.h"

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
	return kview_object_name(v->fd, name);
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
	arg->result_size = arg->results ? sizeof(*opts->results) : 0;
	arg->returns = opts ? opts->returns : 0;
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

int kview_view__switch(struct kview_view *v, struct kview_set *const *sets, size_t n, int on)
{
	struct kview_sets_switch arg = { .count = n, .flags = on ? KVIEW_SWITCH_ON : 0 };
	int32_t fd[KVIEW_SWITCH_MAX];
	size_t i;

	if (n > KVIEW_SWITCH_MAX)
		return -E2BIG;
	for (i = 0; i < n; i++)
		fd[i] = sets[i]->fd;
	arg.sets = (uintptr_t)fd;
	return kview_ioctl(v->fd, KVIEW_SETS_SWITCH, &arg);
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
	return kview_object_name(s->fd, name);
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
		.size = sizeof(*losses),
	};

	if (first > UINT32_MAX || n > UINT32_MAX)
		return -ERANGE;
	return kview_ioctl(s->fd, KVIEW_LOSSES, &arg);
}

int kview_set__sites(struct kview_set *s, size_t first, size_t n, struct kview_site_name *sites)
{
	struct kview_sites arg = {
		.buf = (uintptr_t)sites,
		.first = first,
		.count = n,
		.size = sizeof(*sites),
	};

	if (first > UINT32_MAX || n > UINT32_MAX)
		return -ERANGE;
	return kview_ioctl(s->fd, KVIEW_SITES, &arg);
}

struct kview_view *kview_view__adopt(int fd)
{
	return kview_object(fd < 0 ? -EBADF : fd, sizeof(struct kview_view));
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
