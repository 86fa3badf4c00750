/* SPDX-License-Identifier: GPL-2.0 */
/* A child of a test's own that makes calls to be measured, a step at a time. */
#ifndef KVIEW_TESTS_CHILD_H
#define KVIEW_TESTS_CHILD_H

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct own_child {
	pid_t pid;
	int ready, go;	/* the ends of pipes that are the reader's or writer's own */
};

/* In the child: a step is done; returns when it is to go on. */
static inline void child__wait(const struct own_child *child)
{
	char byte = 0;

	if (write(child->ready, &byte, 1) != 1 || read(child->go, &byte, 1) != 1)
		_exit(1);
}

/* In the test: returns when the next step is done. */
static inline void child__go_on(const struct own_child *child)
{
	char byte = 0;

	if (write(child->go, &byte, 1) != 1 || read(child->ready, &byte, 1) != 1)
		exit(1);
}

/* It waits before its first step; after the last one it stays as it is. */
static inline struct own_child child__start(void (*steps)(const struct own_child *child, int how), int how)
{
	int ready[2], go[2];
	pid_t pid;
	char byte;

	if (pipe(ready) || pipe(go))
		exit(1);
	pid = fork();
	if (!pid) {
		struct own_child child = { .ready = ready[1], .go = go[0] };

		child__wait(&child);
		steps(&child, how);
		child__wait(&child);
		_exit(0);
	}
	close(ready[1]);
	close(go[0]);
	if (pid < 0 || read(ready[0], &byte, 1) != 1)
		exit(1);
	return (struct own_child){ .pid = pid, .ready = ready[0], .go = go[1] };
}

static inline void child__end(struct own_child *child)
{
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	close(child->ready);
	close(child->go);
}

#endif
