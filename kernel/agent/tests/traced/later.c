// SPDX-License-Identifier: GPL-2.0
/*
 * Plain C that comes by another stack, or by code that can switch to one, only once it has run for
 * some time: one way a program.  Reads a line, works, then does it; what works in between is called
 * on both stacks in turn where there are two.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>

#include "common.h"

static volatile long sink;

PROBED long f_work(long x) { sink += x; END(); return sink; }
/* It goes on on the other stack, and comes back later. */
PROBED long f_switch(void (*go)(void **from, void **to), void **from, void **to)
{
	long result;

	go(from, to);
	result = f_work(1);
	END();
	return result;
}

#if defined(later_protected) || defined(later_mapped) || defined(later_by_pointer) || defined(later_by_key)
#define MAKES_CODE
#endif

#ifdef MAKES_CODE
/* Keep the compiler from seeing what they are. */
static volatile int protection = PROT_READ | PROT_WRITE | PROT_EXEC;

/* Saves and loads what a call preserves, and the stack pointer: no code of the file does that. */
static const unsigned char switching[] = {
	0x55, 0x53, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57,
	0x48, 0x89, 0x27, 0x48, 0x8b, 0x26,
	0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5b, 0x5d, 0xc3,
};
static void (*go)(void **from, void **to);
static void *here, *there;
static char other_stack[1 << 16] __attribute__((aligned(16)));

static void other(void)
{
	for (;;)
		f_switch(go, &there, &here);
}

static void *code_page(void)
{
#ifdef later_mapped
	return mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#else
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#if defined(later_protected)
	mprotect(page, 4096, protection);
#elif defined(later_by_key)
	pkey_mprotect(page, 4096, protection, -1);
#else
	static int (*volatile change)(void *, size_t, int) = mprotect;

	change(page, 4096, protection);
#endif
	return page;
#endif
}

static void come_by_it(long n)
{
	void **top = (void **)(other_stack + sizeof(other_stack)) - 2;
	void *page = code_page();

	memcpy(page, switching, sizeof(switching));
	go = page;
	top[0] = (void *)other;
	there = top - 6;
	for (long i = 0; i < n; i++)
		f_switch(go, &here, &there);
}
#endif

#ifdef later_cloned
static char other_stack[1 << 16] __attribute__((aligned(16)));

static int on_other_stack(void *n)
{
	for (long i = 0; i < (long)n; i++)
		f_work(1);
	return 0;
}

/* A process that shares this one's memory, and its probes. */
static void come_by_it(long n)
{
	int status;
	pid_t pid = clone(on_other_stack, other_stack + sizeof(other_stack), CLONE_VM | SIGCHLD, (void *)n);

	waitpid(pid, &status, 0);
}
#endif

#ifdef later_alternate
static void handle(int signal) { f_work(1); }

static void come_by_it(long n)
{
	static char stack[1 << 16];
	struct sigaction action = { .sa_handler = handle, .sa_flags = SA_ONSTACK };
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };

	sigaltstack(&alternate, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (long i = 0; i < n; i++)
		raise(SIGUSR1);
}
#endif

#ifdef later_attached
static void come_by_it(long n)
{
	static volatile int flags = SHM_EXEC;
	int id = shmget(IPC_PRIVATE, 4096, 0700);
	char *page = shmat(id, NULL, flags);

	shmctl(id, IPC_RMID, NULL);
	if (page != (void *)-1) {
		*page = '\xc3';
		for (long i = 0; i < n; i++)
			((void (*)(void))page)();
	}
}
#endif

#ifdef later_data
/* Data alone, and threads whose stacks are data of the program's own: nothing to fear. */
static void *run(void *n)
{
	for (long i = 0; i < (long)n; i++)
		f_work(1);
	return NULL;
}

static void come_by_it(long n)
{
	char *data = mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attributes;
	pthread_t thread;

	mprotect(data, 1 << 20, PROT_READ | PROT_WRITE);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, data, 1 << 20);
	pthread_create(&thread, &attributes, run, (void *)n);
	pthread_join(thread, NULL);
}
#endif

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1;
	char line[16];

	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("ready");
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	for (long i = 0; i < n; i++)
		f_work(1);
	puts("works");
	come_by_it(n);
	for (long i = 0; i < n; i++)
		f_work(1);
	printf("%ld\n", sink);
	return 0;
}
