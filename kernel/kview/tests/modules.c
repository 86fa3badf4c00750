// SPDX-License-Identifier: GPL-2.0
/* Modules that tests load beside kview. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/syscall.h>

#include "harness.h"
#include "modules.h"

#define ENABLED	"/sys/kernel/livepatch/" LIVEPATCH "/enabled"

static void path_of(char *path, size_t size, const char *name)
{
	snprintf(path, size, "/guest/modules/%s.ko", name);
}

bool module_file_exists(const char *name)
{
	char path[64];

	path_of(path, sizeof(path), name);
	return !access(path, R_OK);
}

int module_file_load(const char *name)
{
	char path[64];
	int fd, ret;

	path_of(path, sizeof(path), name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0);
	ret = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return ret;
}

int module_delete(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? errno : 0;
}

int module_delete_patiently(const char *name)
{
	int i, err = module_delete(name);

	for (i = 0; i < PATIENCE && (err == EAGAIN || err == EBUSY); i++) {
		usleep(10000);
		err = module_delete(name);
	}
	return err;
}

static long number_in(const char *path)
{
	FILE *f = fopen(path, "r");
	long n = -1;

	if (!f)
		return -1;
	if (fscanf(f, "%ld", &n) != 1)
		n = -1;
	fclose(f);
	return n;
}

void livepatch_settle(void)
{
	int i;

	for (i = 0; i < PATIENCE; i++) {
		if (!number_in("/sys/kernel/livepatch/" LIVEPATCH "/transition"))
			return;
		usleep(10000);
	}
	fail(__FILE__, __LINE__, "the live patch has not come through");
}

long livepatch_calls(void)
{
	return number_in("/sys/module/" LIVEPATCH "/parameters/calls");
}

void livepatch_unload(void)
{
	int i, err = 0;

	/* it goes by itself when no task runs it any more */
	for (i = 0; i < PATIENCE && !access(ENABLED, F_OK); i++) {
		if (number_in(ENABLED) == 1)
			try_write_file(ENABLED, "0");
		usleep(10000);
	}
	err = module_delete_patiently(LIVEPATCH);
	CHECK(!err || err == ENOENT);
}
