// SPDX-License-Identifier: GPL-2.0
/*
 * What others look into while it is measured: debuggers, profilers, its own handlers.  Does what its input says, and answers
 * each line with what it did.
 */
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define MEASURED __attribute__((noinline, noclone))
#define MAX_FRAMES 64
#define SET_MDWE 65		/* PR_SET_MDWE */

extern "C" long b_faults(const long *at);	/* its second instruction reads there */

static sigjmp_buf after_crash;
static long nr_cleaned;

struct guard {
	~guard() { nr_cleaned++; }
};

extern "C" {

/* No measured function stands below this one; what it calls is to be told from a jump. */
MEASURED long b_leaf(long x)
{
	/* Of a length that a jump always has room for. */
	__asm__ volatile ("movabs $0x1122334455667788, %%rax\n\tmovabs $0x1122334455667788, %%rax" : : : "rax");
	volatile long kept = x;

	for (int i = 0; i < 20; i++)
		kept = kept * 3 + 1;
	return kept;
}

MEASURED long b_middle(long x)
{
	volatile long kept = x;

	return b_leaf(kept) + b_leaf(kept + 1);
}

MEASURED long b_outer(long x)
{
	volatile long kept = x;

	return b_middle(kept) ^ kept;
}

MEASURED long b_cancelled(int input)
{
	guard held;
	char byte;

	return read(input, &byte, 1) + nr_cleaned;
}

MEASURED long b_holds(int input)
{
	volatile long kept = input;
	guard held;

	return b_cancelled(kept) + 1;
}

MEASURED long b_crashes(const long *at)
{
	volatile long kept = at ? 1 : 2;

	return *at + kept;
}

MEASURED long b_crashes_within(const long *at)
{
	volatile long kept = 3;		/* so that no call stands in the entry's window */

	return b_crashes(at) + kept;
}

MEASURED long b_crashes_at_once(const long *at)
{
	volatile long kept = 3;

	return b_faults(at) + kept;
}

MEASURED long b_aborts(long x)
{
	volatile long kept = x;

	if (kept == 1)
		abort();
	return kept;
}

MEASURED long b_aborts_within(long x)
{
	volatile long kept = x;

	return b_aborts(kept) + kept;
}

}

static volatile sig_atomic_t stop;
static volatile unsigned long nr_turns, nr_wrong;

static void *spin(void *)
{
	long expected = b_outer(7);

	while (!stop) {
		nr_wrong += b_outer(7) != expected;
		nr_turns++;
	}
	return NULL;
}

static pthread_t spinning;

static void begin_spin(long)
{
	stop = nr_turns = nr_wrong = 0;
	pthread_create(&spinning, NULL, spin, NULL);
	puts("spins");
}

static void end_spin(long)
{
	stop = 1;
	pthread_join(spinning, NULL);
	printf("%lu %lu\n", nr_turns, nr_wrong);
}

/* Where it is by now. */
static void tell_turns(long)
{
	printf("%lu\n", nr_turns);
}

static void *hold(void *input)
{
	return (void *)b_holds(*(int *)input);
}

/* Threads that are cancelled in measured functions: the destructors of two objects each run. */
static void cancel(long times)
{
	long cancelled = 0;
	int ends[2];

	nr_cleaned = 0;
	if (pipe(ends))
		exit(1);
	for (long i = 0; i < times; i++) {
		pthread_t thread;
		void *result;

		pthread_create(&thread, NULL, hold, &ends[0]);
		pthread_cancel(thread);
		pthread_join(thread, &result);
		cancelled += result == PTHREAD_CANCELED;
	}
	close(ends[0]);
	close(ends[1]);
	printf("%ld %ld\n", cancelled, nr_cleaned);
}

/* As programs do that report their own crashes: what functions they are in, from where the fault was. */
static void on_crash(int)
{
	void *frames[MAX_FRAMES];
	int nr = backtrace(frames, MAX_FRAMES);
	bool is_below = false;
	Dl_info info;

	for (int i = 0; i < nr; i++) {
		const char *name = dladdr(frames[i], &info) && info.dli_sname ? info.dli_sname : "?";

		if (!strncmp(name, "b_", 2) || !strcmp(name, "main") || is_below)
			printf("%s ", name);
		is_below = strcmp(name, "main") && (is_below || !strncmp(name, "b_", 2));
	}
	siglongjmp(after_crash, 1);
}

static void crash(long kind)
{
	static long (*const kinds[])(const long *) = { b_crashes_within, b_crashes_at_once };
	struct sigaction action = {}, before;
	void *warm[1];

	backtrace(warm, 1);	/* it loads a library the first time */
	action.sa_handler = on_crash;
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGSEGV, &action, &before);
	if (!sigsetjmp(after_crash, 1))
		printf("%ld", kinds[kind](NULL));
	sigaction(SIGSEGV, &before, NULL);
	puts("");
}

/* From now on it handles what faults, as programs do that go on behind it. */
static void handle_faults(long)
{
	struct sigaction action = {};

	action.sa_handler = on_crash;
	printf("%d\n", sigaction(SIGSEGV, &action, NULL));
}

/* Dies, and leaves a core where it may. */
static void die(long x)
{
	struct rlimit any = { RLIM_INFINITY, RLIM_INFINITY };

	setrlimit(RLIMIT_CORE, &any);
	printf("%ld\n", b_aborts_within(x));
}

/* Nothing that may be written may become code from now on. */
static void deny_writing_code(long)
{
	printf("%d\n", prctl(SET_MDWE, 1, 0, 0, 0));
}

int main()
{
	static const struct { const char *name; void (*run)(long); } commands[] = {
		{ "spin", begin_spin }, { "rest", end_spin }, { "turns", tell_turns }, { "cancel", cancel },
		{ "crash", crash }, { "die", die }, { "deny", deny_writing_code },
		{ "handle", handle_faults },
	};
	char line[64], name[16];
	long number;

	setvbuf(stdin, NULL, _IONBF, 0);
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("ready");
	while (fgets(line, sizeof(line), stdin)) {
		number = 0;
		if (sscanf(line, "%15s %ld", name, &number) < 1)
			continue;
		for (const auto &command : commands)
			if (!strcmp(command.name, name))
				command.run(number);
	}
	return 0;
}
