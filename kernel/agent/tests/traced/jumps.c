// SPDX-License-Identifier: GPL-2.0
/* C that leaves calls in other ways than by returning: probes on each return are used. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include "common.h"

static jmp_buf back;
static sigjmp_buf signal_back;
static volatile int sink;

PROBED int f_leaf(int x) { END(); return x + 1; }
#pragma GCC diagnostic ignored "-Winfinite-recursion"
PROBED int f_jumper(int depth)
{
	int r;

	if (!depth && sink >= 0)
		longjmp(back, 1);
	r = f_jumper(depth - 1);

	END();
	return r + 1;
}
PROBED int f_recurse(int n)
{
	int r = n > 1 ? f_recurse(n - 1) : 0;

	END();
	return r + 1;
}
PROBED int f_reads(void)
{
	int c = getchar();

	END();
	return c;
}
PROBED void f_exiter(void) { pthread_exit(NULL); }
PROBED int f_handler(int x) { END(); return x + 1; }
PROBED int f_interrupted(int jump)
{
	sink = jump;
	raise(SIGUSR1);
	END();
	return sink + f_leaf(1);
}

/* Tail calls, as compilers make them: direct, on a condition, through a register. The first has a system call (getpid) where a jump would be. */
int f_tail(int x);
int f_tail_if(int x);
int f_tail_reg(int x);
__asm__(".text\n"
	".globl f_tail, f_tail_if, f_tail_reg\n"
	".type f_tail,@function\n.type f_tail_if,@function\n.type f_tail_reg,@function\n"
	"f_tail: mov $39, %eax\n syscall\n jmp f_leaf\n .size f_tail, .-f_tail\n"
	"f_tail_if: push %rbp\n pop %rbp\n test $1, %edi\n jne f_leaf\n mov %edi, %eax\n ret\n"
	" .size f_tail_if, .-f_tail_if\n"
	"f_tail_reg: push %rbp\n pop %rbp\n lea f_leaf(%rip), %rax\n jmp *%rax\n"
	" .size f_tail_reg, .-f_tail_reg\n");

static void handler(int signal)
{
	f_handler(signal);
	if (sink)
		siglongjmp(signal_back, 1);
}

static void *exits_inside(void *unused)
{
	(void)unused;
	f_exiter();
	return NULL;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 1;

	if (!strcmp(what, "longjmp")) {
		for (volatile int i = 0; i < n; i++) {
			if (!setjmp(back))
				f_jumper(4);
			f_leaf(i);
		}
	} else if (!strcmp(what, "recurse")) {
		for (int i = 0; i < 10; i++)
			f_recurse(n);
	} else if (!strcmp(what, "tail")) {
		for (int i = 0; i < n; i++) {
			f_tail(i);
			f_tail_if(i);
			f_tail_reg(i);
		}
	} else if (!strcmp(what, "reads")) {
		while (f_reads() != EOF)
			write(1, "r", 1);
	} else if (!strcmp(what, "thread-exit")) {
		for (int i = 0; i < n; i++) {
			pthread_t thread;

			pthread_create(&thread, NULL, exits_inside, NULL);
			pthread_join(thread, NULL);
		}
	} else if (!strcmp(what, "altstack")) {
		/* Above the interrupted calls on the same stack, or far from it. */
		static char far_away[65536];
		char above[65536];
		stack_t stack = { .ss_sp = argc > 3 ? above : far_away, .ss_size = 65536 };
		struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };

		sigaltstack(&stack, NULL);
		sigaction(SIGUSR1, &action, NULL);
		for (volatile int i = 0; i < n; i++) {
			f_interrupted(0);
			if (!sigsetjmp(signal_back, 1))
				f_interrupted(1);
		}
	}
	return 0;
}
