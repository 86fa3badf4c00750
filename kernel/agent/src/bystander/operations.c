// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "bystander/operations.h"

#define MEMORY_DEVICES	1	/* the major number, see the kernel's admin-guide/devices.txt */
#define LIMITS(array)	(sizeof(array) / sizeof((array)[0]))

static int zero_fd = -1, null_fd = -1;
/* From this thread to the other one, and back: reading and writing ends. */
static int there[2] = { -1, -1 }, back[2] = { -1, -1 };
static bool has_thread;
static uint32_t nobody_waits;

static void switch__run(uint32_t times)
{
	char byte = 0;

	for (; times >= 2; times -= 2)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			return;
}

static void call__getppid(void)
{
	syscall(SYS_getppid);
}

static void call__getpid(void)
{
	syscall(SYS_getpid);
}

static void call__gettid(void)
{
	syscall(SYS_gettid);
}

static void call__getuid(void)
{
	syscall(SYS_getuid);
}

static void call__read(void)
{
	char byte;

	syscall(SYS_read, zero_fd, &byte, 1);
}

static void call__write(void)
{
	char byte = 0;

	syscall(SYS_write, null_fd, &byte, 1);
}

static void call__lseek(void)
{
	syscall(SYS_lseek, zero_fd, 0, SEEK_SET);
}

static void call__fstat(void)
{
	struct stat status;

	syscall(SYS_fstat, zero_fd, &status);
}

static void call__clock_gettime(void)
{
	struct timespec now;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
}

static void call__futex(void)
{
	syscall(SYS_futex, &nobody_waits, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void call__ppoll(void)
{
	struct timespec none = { 0 };

	syscall(SYS_ppoll, NULL, 0, &none, NULL, 0);
}

static void call__openat(void)
{
	close(openat(AT_FDCWD, "/dev/null", O_WRONLY | O_CLOEXEC));
}

/* functions: of the kernel, that it comes to under its name in each kernel that Kview runs on. */
static const struct operation {
	const char *name, *system_call;
	void (*run)(void);
	const int *fd;			/* without which there is nothing to try */
	const char *functions[3];
} operations[] = {
	[OPERATION_SWITCH] = { "context switch, with a write and a read of pipes", "", NULL, NULL, { NULL } },
	[OPERATION_GENERAL] = { "getppid()", "getppid", call__getppid, NULL, { NULL } },
	{ "read() of /dev/zero", "read", call__read, &zero_fd, { "vfs_read", "ksys_read" } },
	{ "write() to /dev/null", "write", call__write, &null_fd, { "vfs_write", "ksys_write" } },
	{ "getpid()", "getpid", call__getpid, NULL, { NULL } },
	{ "gettid()", "gettid", call__gettid, NULL, { NULL } },
	{ "getuid()", "getuid", call__getuid, NULL, { NULL } },
	{ "lseek() of /dev/zero", "lseek", call__lseek, &zero_fd, { NULL } },
	{ "fstat() of /dev/zero", "fstat", call__fstat, &zero_fd, { "vfs_getattr_nosec" } },
	{ "clock_gettime() by a system call", "clock_gettime", call__clock_gettime, NULL, { NULL } },
	{ "futex() that wakes nobody", "futex", call__futex, NULL, { "do_futex", "futex_wake" } },
	{ "ppoll() of nothing", "ppoll", call__ppoll, NULL, { "do_sys_poll" } },
	{ "openat() and close() of /dev/null", "openat", call__openat, &null_fd, { "do_sys_openat2", "do_filp_open" } },
};

size_t operations__nr(void)
{
	return LIMITS(operations);
}

const char *operation__name(size_t operation)
{
	return operations[operation].name;
}

int operation__of_system_call(const char *name)
{
	size_t i;

	for (i = OPERATION_GENERAL; i < LIMITS(operations); i++)
		if (!strcmp(name, operations[i].system_call))
			return i;
	return -1;
}

int operation__of_kernel_function(const char *name)
{
	static const char *const prefixes[] = { "__x64_sys_", "__arm64_sys_", "__do_sys_" };
	size_t i, j;

	for (i = 0; i < LIMITS(prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return operation__of_system_call(name + strlen(prefixes[i]));
	for (i = 0; i < LIMITS(operations); i++)
		for (j = 0; j < LIMITS(operations[i].functions) && operations[i].functions[j]; j++)
			if (!strcmp(name, operations[i].functions[j]))
				return i;
	return -1;
}

int operation__of_tracepoint(const char *system, const char *name)
{
	static const char *const of_switch[] = { "sched_switch", "sched_wakeup", "sched_waking" };
	static const char *const prefixes[] = { "sys_enter_", "sys_exit_" };
	size_t i;

	if (!strcmp(system, "sched"))
		return is_one_of(name, of_switch) ? OPERATION_SWITCH : -1;
	if (!strcmp(system, "raw_syscalls"))
		return OPERATION_GENERAL;
	for (i = 0; i < LIMITS(prefixes) && !strcmp(system, "syscalls"); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return operation__of_system_call(name + strlen(prefixes[i]));
	return -1;
}

static void *partner__run(void *nothing)
{
	char byte;

	while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
		;
	return NULL;
}

int device__open(const char *path, int flags, unsigned int minor)
{
	int fd = open(path, flags | O_CLOEXEC);
	struct stat status;

	if (fd >= 0 && !fstat(fd, &status) && S_ISCHR(status.st_mode) && status.st_rdev == makedev(MEMORY_DEVICES, minor))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

void operations__prepare(void)
{
	pthread_t partner;

	zero_fd = device__open("/dev/zero", O_RDONLY, DEVICE_ZERO);
	null_fd = device__open("/dev/null", O_WRONLY, DEVICE_NULL);
	has_thread = !pipe2(there, O_CLOEXEC) && !pipe2(back, O_CLOEXEC) &&
		     !pthread_create(&partner, NULL, partner__run, NULL);
}

bool operation__is_possible(size_t operation)
{
	const int *fd = operations[operation].fd;

	return operation == OPERATION_SWITCH ? has_thread : !fd || *fd >= 0;
}

void operation__run(size_t operation, uint32_t times)
{
	if (operation == OPERATION_SWITCH)
		return switch__run(times);
	while (times--)
		operations[operation].run();
}
