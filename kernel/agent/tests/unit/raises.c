// SPDX-License-Identifier: GPL-2.0
/*
 * What a process does once it has executed a program that gives it rights is not measured, though
 * nobody but the kernel's side has done anything by then.  The program is this one, setuid.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY	65534
#define BEFORE	5
#define AFTER	7

#if defined(__x86_64__)

#include "called.h"
#include "check.h"

static void call(int times)
{
	while (times--)
		t_called();
}

static void must(bool done, const char *what)
{
	if (done)
		return;
	perror(what);
	exit(1);
}

/* Executed by root, and once more when it is nobody's. */
static int be_measured(char *program, bool raised)
{
	char byte = 0;

	if (raised) {
		must(!geteuid() && getuid() == NOBODY, "no rights were given");
		call(AFTER);
		return 0;
	}
	must(!setresgid(NOBODY, NOBODY, NOBODY) && !setresuid(NOBODY, NOBODY, NOBODY), "setresuid");
	must(write(1, &byte, 1) == 1 && read(0, &byte, 1) == 1, "told");
	call(BEFORE);
	execl(program, program, "raised", (char *)NULL);
	return 1;
}

static pid_t start(char *program, int *told, int *tell)
{
	int up[2], down[2];
	char byte;
	pid_t pid;

	must(!pipe(up) && !pipe(down), "pipe");
	pid = fork();
	if (!pid) {
		dup2(down[0], 0);
		dup2(up[1], 1);
		execl(program, program, "plain", (char *)NULL);
		_exit(1);
	}
	*told = up[0];
	*tell = down[1];
	must(read(*told, &byte, 1) == 1, "the program");
	return pid;
}

static void record(char *program, bool ends, uint64_t expected, const char *name)
{
	struct xprobe_function function = called__in(program);
	struct xprobe_opts opts = { .nr_functions = 1, .ends_at_raise = ends };
	struct error error = { 0 };
	struct figures counts;
	struct xprobe *xprobe;
	int told, tell, status = -1;
	char byte = 0;
	pid_t pid;

	pid = start(program, &told, &tell);
	xprobe = xprobe__new(&opts, &error);
	if (!xprobe || xprobe__attach(xprobe, pid, &function, 1, &error)) {
		printf("not ok %s: %s\n", name, error.message);
		failed = 1;
		return;
	}
	must(write(tell, &byte, 1) == 1, "go");
	waitpid(pid, &status, 0);
	check(!status, "the program ended well", status);
	xprobe__detach(xprobe);
	counts = xprobe__figures(xprobe);
	check(figures__calls(&counts, 0).calls == expected, name,
	      figures__calls(&counts, 0).calls);
	check(figures__timed(&counts, 0) == expected, name, figures__timed(&counts, 0));
	if (ends)
		check(xprobe__attach(xprobe, getpid(), &function, 1, &error),
		      "and never again with these programs", 0);
	xprobe__free(xprobe);
	close(told);
	close(tell);
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/kview-raises.XXXXXX", program[64];
	struct stat st;
	int from, to;

	if (argc > 1)
		return be_measured(argv[0], !strcmp(argv[1], "raised"));
	must(mkdtemp(folder) && !chmod(folder, 0755), folder);
	snprintf(program, sizeof(program), "%s/raises", folder);
	from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	to = open(program, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	must(from >= 0 && to >= 0 && !fstat(from, &st) &&
	     sendfile(to, from, NULL, st.st_size) == st.st_size && !fchmod(to, 04755), program);
	close(to);
	close(from);
	record(program, false, BEFORE + AFTER, "for root calls are counted after it as well");
	record(program, true, BEFORE, "for others those before it alone");
	unlink(program);
	rmdir(folder);
	return failed;
}

#else

int main(void)
{
	puts("ok this machine's functions are described nowhere");
	return 0;
}

#endif
