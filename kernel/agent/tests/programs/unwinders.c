// SPDX-License-Identifier: GPL-2.0
/* C that unwinds or switches stacks all the same, one way a program; waits for its input. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef cancelling
static void *run(void *unused)
{
	pthread_exit(unused);
}
#endif

int main(void)
{
	char c;

#ifdef cancelling
	pthread_t thread;

	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
#endif
#ifdef coroutines
	static char stack[65536];
	ucontext_t here, there;

	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	there.uc_link = &here;
	makecontext(&there, (void (*)(void))getpid, 0);
	swapcontext(&here, &there);
#endif
#ifdef loading
	printf("%p\n", dlopen("libm.so.6", RTLD_NOW));
#endif
	return read(0, &c, 1) < 0;
}
