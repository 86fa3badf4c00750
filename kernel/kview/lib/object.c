// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "object.h"

int kview_ioctl(int fd, unsigned long cmd, void *arg)
{
	int ret = ioctl(fd, cmd, arg);

	return ret < 0 ? -errno : ret;
}

void *kview_object(int fd, size_t size)
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

void kview_object_free(void *obj)
{
	int err = errno;

	if (obj)
		close(*(int *)obj);
	free(obj);
	errno = err;
}

int kview_object_name(int fd, const char *text)
{
	struct kview_name name = { 0 };

	if (strlen(text) >= sizeof(name.name))
		return -EINVAL;
	strcpy(name.name, text);
	return kview_ioctl(fd, KVIEW_NAME, &name);
}
