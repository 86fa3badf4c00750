// SPDX-License-Identifier: GPL-2.0
/*
 * Is measured from outside: does what its input says, and answers each line with what it did.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <asm/prctl.h>

#include "on_cpu.h"
#include "stamped.h"

#define STACK_BYTES 65536

uint8_t *m_inside(void *to, size_t bytes);
/* Where its third instruction begins.  Nothing but it may name the address. */
static const volatile greg_t window_offset = 5;
void hold_registers(const void *from, unsigned long turns, void *to, unsigned long has_avx);

static volatile sig_atomic_t stop;

static long between;	/* what it computes between two rounds of calls, so that a benchmark has it make as many in a second as it likes */

/* 4 calls of m_tail, of m_leaf with them, of m_catches and of m_returns_twice each. */
static uint64_t results(long from, long calls)
{
	uint64_t sum = 0;

	for (long x = from; x < from + calls; x++) {
		sum = sum * 31 + m_tail(x) + m_maybe_tail(x) * 3 + m_switch(x) * 5 + m_catches(x) * 7 + m_returns_twice(x) * 11;
		for (volatile long i = 0; i < between; i++)
			;
	}
	return sum * 31 + m_deep(20);
}

static void *call_often(void *calls)
{
	uint64_t sum = 0;

	for (long x = 0; x < (long)calls; x++)
		sum += m_tail(x);
	return (void *)sum;
}

static void run_threads(long calls)
{
	pthread_t threads[2];
	void *sums[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, call_often, (void *)calls);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], &sums[i]);
	printf("%d\n", sums[0] == sums[1]);
}

static volatile sig_atomic_t nr_signals;

static void on_signal(int signal)
{
	nr_signals++;
	m_tail(signal);
	m_catches(signal);
}

/* On a stack of their own, and in the middle of calls. */
static void take_signals(long wanted)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
	stack_t stack = { .ss_size = STACK_BYTES };
	unsigned long turns = 0;

	stack.ss_sp = malloc(stack.ss_size);
	sigaltstack(&stack, NULL);
	sigaction(SIGALRM, &action, NULL);
	nr_signals = 0;
	setitimer(ITIMER_REAL, &often, NULL);
	for (; nr_signals < wanted; turns++)
		m_waits(turns % 10);
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%d %lu\n", nr_signals, turns);
}

static ucontext_t main_context, other_context;
static long yielded;

static void to_main(void)
{
	swapcontext(&other_context, &main_context);
}

static void *resume(void *unused)
{
	swapcontext(&main_context, &other_context);
	return NULL;
}

static void coroutine(void)
{
	for (;;)
		yielded += m_yields(1);
}

/* Each call ends on another thread than it began on. */
static void run_coroutine(long turns)
{
	pthread_t thread;

	yield_now = to_main;
	yielded = 0;
	getcontext(&other_context);
	other_context.uc_stack.ss_size = STACK_BYTES;
	other_context.uc_stack.ss_sp = malloc(STACK_BYTES);
	makecontext(&other_context, coroutine, 0);
	resume(NULL);
	for (long i = 0; i < turns; i++) {
		pthread_create(&thread, NULL, resume, NULL);
		pthread_join(thread, NULL);
	}
	printf("%ld\n", yielded);
}

/* A child makes calls, and stays until its parent ends. */
static void run_child(long calls)
{
	int from_child[2], ends_with[2];
	uint64_t sum = 0, expected = results(0, calls);
	pid_t child;

	if (pipe(from_child) || pipe(ends_with))
		exit(1);
	child = fork();
	if (!child) {
		sum = results(0, calls);
		if (write(from_child[1], &sum, sizeof(sum)) != sizeof(sum))
			_exit(1);
		close(ends_with[1]);
		if (read(ends_with[0], &sum, 1))
			_exit(1);
		_exit(0);
	}
	close(ends_with[0]);
	if (read(from_child[0], &sum, sizeof(sum)) != sizeof(sum))
		exit(1);
	printf("%d %d\n", sum == expected, child);
}

static volatile unsigned long nr_inside, nr_wrong;

static void *stay_inside(void *memory)
{
	const size_t bytes = 1 << 20;

	while (!stop) {
		nr_wrong += m_inside(memory, bytes) != (uint8_t *)memory + bytes;
		nr_inside++;
	}
	return NULL;
}

static volatile sig_atomic_t is_held, is_released;

static void hold_there(int signal, siginfo_t *info, void *context)
{
	if (((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] - (greg_t)m_inside != window_offset)
		return;
	is_held = 1;
	while (!is_released)
		usleep(1000);
}

static pthread_t inside;

static void begin_inside(long held)
{
	struct sigaction action = { .sa_sigaction = hold_there, .sa_flags = SA_ONSTACK | SA_SIGINFO };

	stop = is_held = is_released = 0;
	nr_inside = nr_wrong = 0;
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&inside, NULL, stay_inside, malloc(1 << 20));
	while (!nr_inside)
		usleep(1000);
	while (held && !is_held) {
		pthread_kill(inside, SIGUSR1);
		usleep(1000);
	}
	puts("inside");
}

static void end_inside(void)
{
	stop = is_released = 1;
	pthread_join(inside, NULL);
	printf("%lu %lu\n", nr_inside, nr_wrong);
}

/* Works until more is said, in many ways: how often, and how often something was not as it has to be. */
static void work(long unused)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	unsigned long turns = 0, wrong = 0, has_avx = __builtin_cpu_supports("avx") != 0;
	uint64_t from[88], to[88], expected = results(0, 50);

	for (int i = 0; i < 88; i++)
		from[i] = 0x9e3779b97f4a7c15 * (i + 1);
	memset(to, 0, sizeof(to));
	for (; poll(&input, 1, 0) == 0; turns++) {
		hold_registers(from, 1000000, to, has_avx);
		for (int i = 0; i < 64 + 16; i++)
			wrong += (i % 4 < 2 || i >= 64 || has_avx) && !(i >= 67 && i < 72) && from[i] != to[i];
		wrong += results(0, 50) != expected;
	}
	printf("%lu %lu\n", turns, wrong);
}

static void *come_and_go(void *unused)
{
	return (void *)results(0, 20);
}

/* The same, with threads that come and go. */
static void churn(long unused)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	unsigned long turns = 0, wrong = 0;
	uint64_t expected = results(0, 20);

	for (; poll(&input, 1, 0) == 0; turns++) {
		pthread_t threads[4];
		void *result;

		for (int i = 0; i < 4; i++)
			pthread_create(&threads[i], NULL, come_and_go, NULL);
		wrong += results(0, 20) != expected;
		for (int i = 0; i < 4; i++) {
			pthread_join(threads[i], &result);
			wrong += result != (void *)expected;
		}
	}
	printf("%lu %lu\n", turns, wrong);
}

/* Programs are begun over and over, which use its memory until they are executed. */
static void spawn(long unused)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	volatile unsigned long turns = 0, wrong = 0;
	uint64_t expected = results(0, 20);

	for (; poll(&input, 1, 0) == 0; turns++) {
		char *const arguments[] = { "true", NULL };
		int status;
		pid_t child;

		if (turns % 2) {
			wrong += posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ) != 0;
		} else {
			child = vfork();
			if (!child) {
				m_tail(1);
				execv("/bin/true", arguments);
				_exit(1);
			}
		}
		wrong += waitpid(child, &status, 0) != child || status || results(0, 20) != expected;
	}
	printf("%lu %lu\n", turns, wrong);
}

static char sharing_stack[STACK_BYTES];

static int share(void *unused)
{
	while (pause())
		;
	return 0;
}

/* A process of its own uses its memory. */
static void share_memory(long unused)
{
	printf("%d\n", clone(share, sharing_stack + STACK_BYTES, CLONE_VM | SIGCHLD, NULL));
}

/* A process of its own shares its open files. */
static void share_files(long unused)
{
	long child = syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);

	if (!child)
		_exit(share(NULL));
	printf("%ld\n", child);
}

static void tell_base(long unused)
{
	unsigned long base = 0;

	syscall(SYS_arch_prctl, ARCH_GET_FS, &base);
	printf("%lu\n", base);
}

/* Its system calls are filtered from now on. */
static void filter_calls(long unused)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = { 1, &allow };

	printf("%d\n", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
}

/* Its system calls would come back to it, if they were made anywhere but where they all are. */
static void take_calls(long unused)
{
	printf("%d\n", prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0x1000ul, 0x7fffffff0000ul, NULL));
}

/* The same program from its beginning. */
static void execute_anew(long unused)
{
	execl("/proc/self/exe", "target", NULL);
}

/* It may not read the processor's counter. */
static void give_up_counter(long unused)
{
	printf("%d\n", prctl(PR_SET_TSC, PR_TSC_SIGSEGV));
}

static void set_between(long rounds)
{
	printf("%ld\n", between = rounds);
}

static void call_plainly(long calls)
{
	printf("%lu\n", results(0, calls));
}

/* A call that computes, sleeps, or both: what the program knows that it ran. */
static void run_measured(long kind)
{
	static void (*const kinds[])(void) = { on_cpu__compute, on_cpu__sleep, on_cpu__mix, on_cpu__short, on_cpu__long };
	struct on_cpu_truth truth = on_cpu__call(kinds[kind]);

	printf("%lu %lu %lu %lu\n", truth.inner_ns, truth.outer_ns, truth.before_ns, truth.after_ns);
}

/* Others want its processor too. */
static void compete(long rivals)
{
	rivals ? on_cpu__begin_rivals() : on_cpu__end_rivals();
	puts("rivals");
}

static void leave(long unused)
{
	end_inside();
}

int main(void)
{
	static const struct { const char *name; void (*run)(long); } commands[] = {
		{ "calls", call_plainly }, { "threads", run_threads }, { "signals", take_signals }, { "coroutine", run_coroutine }, { "child", run_child },
		{ "inside", begin_inside }, { "leave", leave }, { "work", work }, { "churn", churn }, { "spawn", spawn }, { "share", share_memory },
		{ "filter", filter_calls }, { "dispatch", take_calls }, { "execute", execute_anew }, { "uncounted", give_up_counter },
		{ "ran", run_measured }, { "rivals", compete }, { "files", share_files }, { "base", tell_base }, { "between", set_between },
	};
	char line[64], name[16];

	setvbuf(stdin, NULL, _IONBF, 0);
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof(line), stdin)) {
		long number = 0;

		if (sscanf(line, "%15s %ld", name, &number) < 1)
			continue;
		for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
			if (!strcmp(commands[i].name, name))
				commands[i].run(number);
	}
	return 0;
}
