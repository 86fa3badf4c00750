/* SPDX-License-Identifier: GPL-2.0 */
/* This very program as one that executes itself and gets rights thereby: a copy of it, setuid. */
#ifndef KVIEW_TEST_RAISED_H
#define KVIEW_TEST_RAISED_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOBODY	65534
#define BEFORE	5
#define AFTER	7

struct raised {
	char folder[32], program[64];
};

static inline void must(bool done, const char *what)
{
	if (done)
		return;
	perror(what);
	exit(1);
}

static inline void raised__install(struct raised *raised)
{
	struct stat st;
	int from, to;

	strcpy(raised->folder, "/tmp/kview-raises.XXXXXX");
	must(mkdtemp(raised->folder) && !chmod(raised->folder, 0755), raised->folder);
	snprintf(raised->program, sizeof(raised->program), "%s/raises", raised->folder);
	from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	to = open(raised->program, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	must(from >= 0 && to >= 0 && !fstat(from, &st) &&
	     sendfile(to, from, NULL, st.st_size) == st.st_size && !fchmod(to, 04755), raised->program);
	close(to);
	close(from);
}

static inline void raised__remove(const struct raised *raised)
{
	unlink(raised->program);
	rmdir(raised->folder);
}

/* What the copy does: executed by root, and once more when it is nobody's. */
static inline int raised__run(char **argv, void (*call)(int times))
{
	char byte = 0;

	if (!strcmp(argv[1], "raised")) {
		must(!geteuid() && getuid() == NOBODY, "no rights were given");
		call(AFTER);
		return 0;
	}
	must(!setresgid(NOBODY, NOBODY, NOBODY) && !setresuid(NOBODY, NOBODY, NOBODY), "setresuid");
	must(write(1, &byte, 1) == 1 && read(0, &byte, 1) == 1, "told");
	call(BEFORE);
	execl(argv[0], argv[0], "raised", (char *)NULL);
	return 1;
}

/* It waits to be told to go on. */
static inline pid_t raised__start(const struct raised *raised, int *told, int *tell)
{
	int up[2], down[2];
	char byte;
	pid_t pid;

	must(!pipe(up) && !pipe(down), "pipe");
	pid = fork();
	if (!pid) {
		dup2(down[0], 0);
		dup2(up[1], 1);
		execl(raised->program, raised->program, "plain", (char *)NULL);
		_exit(1);
	}
	*told = up[0];
	*tell = down[1];
	must(read(*told, &byte, 1) == 1, "the program");
	return pid;
}

#endif
