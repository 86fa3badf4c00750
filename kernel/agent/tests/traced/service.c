// SPDX-License-Identifier: GPL-2.0
/*
 * A service of many processes.  Of each line of its input it does what the first letter says, N at once, with K calls of
 * f_serve each, and answers when all of that has ended:
 *
 *	m 1 K	calls it itself
 *	c N K	forks children that call it
 *	i N K	forks them within a call of f_outer, from which each of them returns as well
 *	e N K	forks them, and they execute this program anew to call it
 *	t N K	forks them, and each calls it by two threads
 *	h N 0	forks them, and they stay in a call of f_outer as long as this process lives: nobody waits for their ends
 */
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "common.h"

static volatile int sink;

PROBED void f_serve(int n)
{
	int i;

	for (i = 0; i < n; i++)
		sink += i;
}

PROBED int f_outer(int stays)
{
	int child = stays ? 0 : fork();

	while (stays)
		pause();

	sink++;
	return child;
}

static void *serve(void *calls)
{
	long i;

	for (i = 0; i < (long)calls; i++) {
		f_serve(100);
		syscall(SYS_getppid);
	}
	return NULL;
}

static void be_child(char kind, const char *program, long calls)
{
	char text[32];
	pthread_t thread;

	snprintf(text, sizeof(text), "%ld", calls);
	if (kind == 'h') {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		f_outer(1);
	}
	if (kind == 'e')
		execl(program, program, text, NULL);
	if (kind == 't') {
		pthread_create(&thread, NULL, serve, (void *)calls);
		serve((void *)calls);
		pthread_join(thread, NULL);
	} else {
		serve((void *)calls);
	}
	exit(0);
}

int main(int argc, char **argv)
{
	char line[64], kind;
	long nr, calls, i;

	if (argc > 1) {
		serve((void *)atol(argv[1]));
		return 0;
	}
	setvbuf(stdout, NULL, _IONBF, 0);
	printf("ready\n");
	while (fgets(line, sizeof(line), stdin) && sscanf(line, "%c %ld %ld", &kind, &nr, &calls) == 3) {
		if (kind == 'm')
			serve((void *)calls);
		for (i = 0; kind != 'm' && i < nr; i++)
			if (!(kind == 'i' ? f_outer(0) : fork()))
				be_child(kind, "/proc/self/exe", calls);
		while (kind != 'h' && wait(NULL) > 0)
			;
		printf("done\n");
	}
	return 0;
}
