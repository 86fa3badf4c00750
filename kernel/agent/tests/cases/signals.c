// SPDX-License-Identifier: GPL-2.0
/*
 * A handler on an alternate stack that lies above, or below, the stack of the thread that it
 * interrupts, or on that stack itself; some handlers jump out.  NO_JUMP leaves the jumps out:
 * then nothing that is imported tells of an unusual end.
 *
 * usage: signals above|below|same return|jump ROUNDS
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include "truth.h"

#define ALT_BYTES 65536
#define STACK_BYTES (256 << 10)

static char *alternate;
static int jumps;
static long rounds;
#ifndef NO_JUMP
static sigjmp_buf out;
#endif
static volatile long handled, returned, notes_returned;

PROBED long f_note(long x)
{
	handled += x;
	END();
	return handled;
}

PROBED long f_interrupted(long x)
{
	handled += x;
	raise(SIGUSR1);
	END();
	return handled;
}

static void handler(int signal)
{
	f_note(signal);
	notes_returned++;
#ifndef NO_JUMP
	if (jumps)
		siglongjmp(out, 1);
#endif
}

static void *run(void *unused)
{
	stack_t stack = { .ss_sp = alternate, .ss_size = ALT_BYTES };

	(void)unused;
	if (alternate)
		sigaltstack(&stack, NULL);
	for (volatile long i = 0; i < rounds; i++) {
#ifndef NO_JUMP
		if (sigsetjmp(out, 1))
			continue;
#endif
		f_interrupted(i);
		returned++;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	char *space = mmap(NULL, STACK_BYTES + 2 * ALT_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attributes;
	pthread_t thread;

	if (strcmp(argv[1], "same"))
		alternate = strcmp(argv[1], "above") ? space : space + ALT_BYTES + STACK_BYTES;
	jumps = !strcmp(argv[2], "jump");
	rounds = atol(argv[3]);
	sigaction(SIGUSR1, &action, NULL);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, space + ALT_BYTES, STACK_BYTES);
	pthread_create(&thread, &attributes, run, NULL);
	pthread_join(thread, NULL);
	printf("handled %ld returned %ld\n", handled, returned);
	tell("f_note.returned", notes_returned);
	tell("f_interrupted.returned", returned);
	tell("f_interrupted.left", rounds - returned);
	return 0;
}
