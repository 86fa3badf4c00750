// SPDX-License-Identifier: GPL-2.0
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <asm/unistd.h>

#include "mechanism/system_calls.h"

static const struct { const char *name; int number; } names[] = {
#include "syscall_names.h"
};

int syscall__number(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i].name, name))
			return names[i].number;
	return -1;
}

int syscall__find_names(struct point_names *found)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (point_names__offer(found, names[i].name))
			return -1;
	return 0;
}

bool syscall__creates(int number)
{
	switch (number) {
	case __NR_clone:
#ifdef __NR_clone3
	case __NR_clone3:
#endif
#ifdef __NR_fork
	case __NR_fork:
	case __NR_vfork:
#endif
		return true;
	default:
		return false;
	}
}

int system_calls__unknown(const char *name, struct error *error)
{
	return error__set(error, ERR_NO_SUCH_FUNCTION,
			  "There is no system call %.100s on this host: give its name as in its manual page's section 2.",
			  name);
}

int system_calls__check_process(pid_t pid, struct error *error)
{
	unsigned char ident[EI_NIDENT];
	char path[32];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? -1 : read(fd, ident, sizeof(ident));
	if (fd >= 0)
		close(fd);
	if (got != sizeof(ident))
		return error__set(error, ERR_NO_SUCH_PROCESS,
				  "The program of process %d could not be read.", pid);
	if (ident[EI_CLASS] != ELFCLASS64)
		return error__set(error, ERR_NOT_PROBEABLE,
				  "Process %d runs a 32-bit program, whose system calls can't be measured.",
				  pid);
	return 0;
}
