/* SPDX-License-Identifier: GPL-2.0 */
/* What libkview's objects have in common. */
#ifndef LIBKVIEW_OBJECT_H
#define LIBKVIEW_OBJECT_H

#include "libkview.h"

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

/* ioctl(2), with a negative errno in place of -1. */
int kview_ioctl(int fd, unsigned long cmd, void *arg);
/*
 * An object of @size bytes, zeroed, that starts with the fd and owns it.  @fd may be a negative
 * errno.  NULL with errno: the fd, if it was one, is closed.
 */
void *kview_object(int fd, size_t size);
/* The fd is an object's first member; free(NULL) is fine. */
void kview_object_free(void *obj);
/* Names what the fd stands for: 0 or a negative errno; -EINVAL: too long. */
int kview_object_name(int fd, const char *name);

#endif /* LIBKVIEW_OBJECT_H */
