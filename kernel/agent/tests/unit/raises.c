// SPDX-License-Identifier: GPL-2.0
/*
 * What a process does once it has executed a program that gives it rights is not measured, though
 * nobody but the kernel's side has done anything by then.  The program is this one, setuid.
 */
#include <stdio.h>

#if defined(__x86_64__)

#include <sys/wait.h>

#include "called.h"
#include "check.h"
#include "raised.h"

static void call(int times)
{
	while (times--)
		t_called();
}

static void record(const struct raised *raised, bool ends, uint64_t expected, const char *name)
{
	struct xprobe_function function = called__in(raised->program);
	struct xprobe_opts opts = { .nr_functions = 1, .ends_at_raise = ends };
	struct error error = { 0 };
	struct figures counts;
	struct xprobe *xprobe;
	int told, tell, status = -1;
	char byte = 0;
	pid_t pid;

	pid = raised__start(raised, &told, &tell);
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
	struct raised raised;

	if (argc > 1)
		return raised__run(argv, call);
	raised__install(&raised);
	record(&raised, false, BEFORE + AFTER, "for root calls are counted after it as well");
	record(&raised, true, BEFORE, "for others those before it alone");
	raised__remove(&raised);
	return failed;
}

#else

int main(void)
{
	puts("ok this machine's functions are described nowhere");
	return 0;
}

#endif
