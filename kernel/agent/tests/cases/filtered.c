// SPDX-License-Identifier: GPL-2.0
/*
 * A program that filters its system calls (seccomp) half way: what the kernel does for a replaced
 * return address is a system call that no filter knows.
 *
 * usage: filtered kill|error|strict|waits CALLS
 *	kill	whatever is not needed ends it
 *	error	whatever is not needed fails
 *	strict	the kernel's own list, which has no exit: it ends by that
 *	waits	a second thread alone is filtered; then waits for a line before its calls
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "truth.h"

#define ALLOW(name)	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), \
			BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static void must(int error, const char *what)
{
	if (!error)
		return;
	perror(what);
	exit(77);
}

static void filter(unsigned int otherwise)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(read), ALLOW(write), ALLOW(exit_group), ALLOW(clock_gettime), ALLOW(futex),
		BPF_STMT(BPF_RET | BPF_K, otherwise),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "PR_SET_NO_NEW_PRIVS");
	must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0), "PR_SET_SECCOMP");
}

static volatile long sum;

PROBED long f_work(long x)
{
	sum += x;
	END();
	return x;
}

static long work(long calls)
{
	long total = 0;

	for (long i = 0; i < calls; i++)
		total += f_work(i);
	return total;
}

static int ready[2], never[2];

static void *filtered_thread(void *unused)
{
	char byte = 0;

	filter(SECCOMP_RET_KILL_PROCESS);
	must(write(ready[1], &byte, 1) != 1, "write");
	while (read(never[0], &byte, 1))
		;
	return NULL;
}

int main(int argc, char **argv)
{
	long calls = atol(argv[2]), total;
	char line[8];

	/* Of their own, so that nothing is asked for once there is a filter. */
	static char buffers[2][BUFSIZ];

	setvbuf(stdout, buffers[0], _IOLBF, BUFSIZ);
	setvbuf(stderr, buffers[1], _IOLBF, BUFSIZ);
	printf("begins\n");
	total = work(calls);
	if (!strcmp(argv[1], "kill"))
		filter(SECCOMP_RET_KILL_PROCESS);
	else if (!strcmp(argv[1], "error"))
		filter(SECCOMP_RET_ERRNO | EPERM);
	else if (!strcmp(argv[1], "strict"))
		must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0), "PR_SET_SECCOMP");
	else {
		pthread_t thread;

		must(pipe(ready) || pipe(never), "pipe");
		must(pthread_create(&thread, NULL, filtered_thread, ready), "pthread_create");
		must(read(ready[0], line, 1) != 1, "read");
		printf("waits\n");
		must(read(0, line, 1) < 0, "read");
	}
	total += work(calls);
	printf("total %ld\n", total);
	tell("f_work.returned", 2 * calls);
	return 3;
}
