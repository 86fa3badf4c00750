/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libkview: kernel views from C.
 *
 * Functions are named noun__verb.  Those that make something return it or NULL
 * with errno set; the others return 0 or a negative errno, and have written
 * nothing that can be used then.  What an errno means stands in <kview.h>, with
 * the ioctl of the same name.
 *
 * What is returned is the caller's, to be freed with its noun__free(), which takes
 * NULL and leaves errno alone; it closes the object's file descriptor, with all that
 * <kview.h> says of that.  An object needs no other one to live on: each has a
 * descriptor of its own, close-on-exec.  Strings and arrays stay the caller's.
 *
 *	struct kview *k = kview__open();
 *	struct kview_view *v = kview_view__new(k);
 *	const char *funcs[] = { "vfs_read", "vfs_write" };
 *	struct kview_set *s = kview_view__add_functions(v, funcs, 2, NULL);
 *	kview_set__add_prog(s, prog_fd, 42, NULL);
 *	struct kview_attachment *a = kview_view__attach(v, pid, KVIEW_ATTACH_FORK);
 *	...
 *	kview_attachment__free(a);	(or in any other order, or just exit)
 *	kview_set__free(s);
 *	kview_view__free(v);
 *	kview__free(k);
 *
 * No function is safe to call on the same object from two threads at a time.
 */
#ifndef LIBKVIEW_H
#define LIBKVIEW_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "kview.h"

struct kview;
struct kview_view;
struct kview_set;
struct kview_attachment;

/* ENOENT: the module is not loaded. */
struct kview *kview__open(void);
void kview__free(struct kview *k);
int kview__info(struct kview *k, struct kview_info *info);
int kview__stat(struct kview *k, struct kview_stat *st);
/* All *n views, sets and attachments of everybody, see struct kview_item.  free(*items). */
int kview__list(struct kview *k, struct kview_item **items, size_t *n);

/* A view without sites and processes. */
struct kview_view *kview_view__new(struct kview *k);
void kview_view__free(struct kview_view *v);
int kview_view__stat(struct kview_view *v, struct kview_view_stat *st);
int kview_view__item(struct kview_view *v, struct kview_item *item);
/* Names are of less than KVIEW_NAME_SIZE bytes; whoever gives one is the owner from then on. */
int kview_view__set_name(struct kview_view *v, const char *name);

/*
 * Options for adding sites; all zero is the default.
 */
struct kview_set_opts {
	uint32_t flags;		/* KVIEW_SET_* */
	uint32_t bad;		/* out, on failure: index of the site refused, or ~0 */
	struct kview_site_result *results;	/* out: room for one for each site, or NULL */
	uint32_t returns;	/* of returns: calls watched at a time, or 0 for 2048 */
};

/* opts may be NULL.  Addresses are of functions, or of their ftrace locations. */
struct kview_set *kview_view__add_functions(struct kview_view *v, const char *const *names,
					    size_t n, struct kview_set_opts *opts);
struct kview_set *kview_view__add_addresses(struct kview_view *v, const uint64_t *addrs,
					    size_t n, struct kview_set_opts *opts);
struct kview_set *kview_view__add_tracepoints(struct kview_view *v, const char *const *names,
					      size_t n, struct kview_set_opts *opts);

/* The functions' returns. */
struct kview_set *kview_view__add_returns(struct kview_view *v, const char *const *names,
					  size_t n, struct kview_set_opts *opts);
struct kview_set *kview_view__add_return_addresses(struct kview_view *v, const uint64_t *addrs,
						   size_t n, struct kview_set_opts *opts);

/* Trace events, SYSTEM:EVENT. */
struct kview_set *kview_view__add_events(struct kview_view *v, const char *const *names,
					 size_t n, struct kview_set_opts *opts);

/* Switches up to KVIEW_SWITCH_MAX sets at one instant, see struct kview_sets_switch. */
int kview_view__switch(struct kview_view *v, struct kview_set *const *sets, size_t n, int on);

void kview_set__free(struct kview_set *s);
/* Sites in the set: fewer than asked for only with KVIEW_SET_SKIP_UNUSABLE. */
size_t kview_set__size(const struct kview_set *s);
/* cookies: one for each site, or NULL for the same cookie everywhere */
int kview_set__add_prog(struct kview_set *s, int prog_fd, uint64_t cookie,
			const uint64_t *cookies);
int kview_set__del_prog(struct kview_set *s, int prog_fd);
int kview_set__stat(struct kview_set *s, struct kview_set_stat *st);
int kview_set__item(struct kview_set *s, struct kview_item *item);
int kview_set__set_name(struct kview_set *s, const char *name);
/* Fills hits[0..n) with the counters of sites first.., of one CPU or (-1) of all. */
int kview_set__hits(struct kview_set *s, size_t first, size_t n, int cpu, uint64_t *hits);
/* Fills losses[0..n) with what sites first.. did not see. */
int kview_set__losses(struct kview_set *s, size_t first, size_t n,
		      struct kview_site_losses *losses);

/* Fills sites[0..n) with what sites first.. are.  ENOTTY: the module lacks KVIEW_FEATURE_SITES. */
int kview_set__sites(struct kview_set *s, size_t first, size_t n, struct kview_site_name *sites);

/*
 * flags: KVIEW_ATTACH_*.  Others may trace the same process (KVIEW_FEATURE_SHARED).  Errors of
 * pidfd_open(2), too: ESRCH, EINVAL for a thread.
 */
struct kview_attachment *kview_view__attach(struct kview_view *v, pid_t pid, uint32_t flags);
/* The same for a process that cannot be mistaken for another, see pidfd_open(2). */
struct kview_attachment *kview_view__attach_pidfd(struct kview_view *v, int pidfd, uint32_t flags);
/*
 * After an attach of a process or a queue that failed with EBUSY: the attachment that has it; with EUSERS: one of
 * those that have it; NULL: it has just left, or the view's own hooks were what was refused.  The view's: until its next
 * attach, or its end.
 */
const struct kview_item *kview_view__owner(const struct kview_view *v);
/* path: of the cgroup's directory, for example /sys/fs/cgroup/system.slice */
struct kview_attachment *kview_view__attach_cgroup(struct kview_view *v, const char *path);
/* A receive queue of a network device; or what a socket's SO_INCOMING_NAPI_ID says. */
struct kview_attachment *kview_view__attach_queue(struct kview_view *v, const char *device,
						  uint32_t queue);
struct kview_attachment *kview_view__attach_napi(struct kview_view *v, uint32_t napi_id);
void kview_attachment__free(struct kview_attachment *a);
int kview_attachment__stat(struct kview_attachment *a, struct kview_attach_stat *st);
int kview_attachment__item(struct kview_attachment *a, struct kview_item *item);
int kview_attachment__set_name(struct kview_attachment *a, const char *name);

/*
 * A descriptor that was passed on; it is the object's from then on, on failure closed.  Whether it
 * is one of a view or an attachment shows when it is used: ENOTTY.
 */
struct kview_view *kview_view__adopt(int fd);
struct kview_attachment *kview_attachment__adopt(int fd);

/* The file descriptors, which stay the objects': to poll, to pass on, for ioctls of one's own. */
int kview__fd(const struct kview *k);
int kview_view__fd(const struct kview_view *v);
int kview_set__fd(const struct kview_set *s);
int kview_attachment__fd(const struct kview_attachment *a);

#endif /* LIBKVIEW_H */
