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

int kview_ioctl(int fd, unsigned long cmd, void *arg);
/* An object of @size bytes that starts with the fd; closes the fd on failure. */
void *kview_object(int fd, size_t size);
/* The fd is an object's first member; free(NULL) is fine. */
void kview_object_free(void *obj);
int kview_object_name(int fd, const char *name);

#endif /* LIBKVIEW_OBJECT_H */
