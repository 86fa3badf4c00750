// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that spend their time in known functions, and say how much: for surveys.  A thread of its own notes
 * the sums every few ms; a line that is read is answered by its notes, of the form
 *
 *	NS FUNCTION.wall NS FUNCTION.cpu NS ...
 *
 * with the instant (CLOCK_MONOTONIC) in front, and an empty line.  wall includes a call that is under way.
 *
 * Built without frame pointers, as Debian's programs are.
 */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static const char *const names[] = { "heavy", "light", "nap", "rest", "take_lock", "short_a", "short_b", "deepest" };
enum { HEAVY, LIGHT, NAP, REST, TAKE_LOCK, SHORT_A, SHORT_B, DEEPEST, FUNCTIONS };
static _Atomic uint64_t wall_ns[FUNCTIONS], cpu_ns[FUNCTIONS];
static _Atomic uint64_t began_ns[FUNCTIONS];	/* of the call under way; 0: none is */
static volatile uint64_t sink;

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

#define CALL(id, call) do {								\
	uint64_t wall_ = now_ns(CLOCK_MONOTONIC), cpu_ = now_ns(CLOCK_THREAD_CPUTIME_ID);	\
	began_ns[id] = wall_;								\
	call;										\
	cpu_ns[id] += now_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_;				\
	began_ns[id] = 0;								\
	wall_ns[id] += now_ns(CLOCK_MONOTONIC) - wall_;					\
} while (0)

static NOINLINE uint64_t spin(uint64_t loops)
{
	uint64_t x = 88172645463325252ull;

	while (loops--) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	return x;
}

NOINLINE void heavy(void) { sink = spin(300000); sink++; }
NOINLINE void light(void) { sink = spin(100000); sink++; }

static NOINLINE void wait_us(unsigned int us)
{
	struct timespec t = { 0, us * 1000L };

	nanosleep(&t, NULL);
	sink++;
}

NOINLINE void nap(void) { wait_us(5000); sink++; }
NOINLINE void rest(void) { wait_us(5000); sink++; }
NOINLINE void short_a(void) { for (int i = 0; i < 3; i++) wait_us(100); sink++; }
NOINLINE void short_b(void) { wait_us(100); sink++; }

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

NOINLINE void take_lock(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

/* Frames of different sizes, one of them aligned further than the ABI does. */
NOINLINE uint64_t deepest(int depth)
{
	_Alignas(64) volatile uint64_t block[8 + 8 * 3] = { depth };
	uint64_t result;

	if (!depth)
		return spin(100000) + block[0];
	result = deepest(depth - 1);
	return result + block[1];
}

/*
 * As hand-written code of OpenSSL: where the caller's frame is stands in a word below the stack pointer.  It computes for
 * some loops, as its argument says.
 */
void below(uint64_t loops);
asm("	.text\n"
    "	.globl below\n"
    "	.type below, @function\n"
    "below:	.cfi_startproc\n"
    "	lea 8(%rsp), %rax\n"
    "	mov %rax, -16(%rsp)\n"
    "	.cfi_escape 0x0f, 3, 0x77, 0x70, 0x06\n"	/* DW_CFA_def_cfa_expression: DW_OP_breg7 -16, DW_OP_deref */
    "1:	dec %rdi\n"
    "	jnz 1b\n"
    "	.cfi_def_cfa %rsp, 8\n"
    "	ret\n"
    "	.cfi_endproc\n"
    "	.size below, . - below\n");

NOINLINE void wait_forever(void)
{
	poll(NULL, 0, -1);
	sink++;
}

static void *computes(void *unused)
{
	prctl(PR_SET_NAME, "computes");
	for (;;) {
		CALL(HEAVY, heavy());
		CALL(LIGHT, light());
		CALL(NAP, nap());
	}
	return unused;
}

static void *holds(void *unused)
{
	prctl(PR_SET_NAME, "holds");
	for (;;) {
		pthread_mutex_lock(&lock);
		wait_us(6000);
		pthread_mutex_unlock(&lock);
		wait_us(500);
	}
	return unused;
}

static void *locks(void *unused)
{
	prctl(PR_SET_NAME, "locks");
	for (;;) {
		CALL(TAKE_LOCK, take_lock());
		CALL(REST, rest());
	}
	return unused;
}

static void *shorts(void *unused)
{
	prctl(PR_SET_NAME, "shorts");
	for (;;) {
		CALL(SHORT_A, short_a());
		CALL(SHORT_B, short_b());
	}
	return unused;
}

static void *deep(void *unused)
{
	prctl(PR_SET_NAME, "deep");
	for (;;) {
		CALL(DEEPEST, sink = deepest(60));
		wait_us(2000);
	}
	return unused;
}

static void *calls_below(void *unused)
{
	prctl(PR_SET_NAME, "below");
	for (;;) {
		below(1000000);
		wait_us(5000);
	}
	return unused;
}

static void *waits(void *unused)
{
	prctl(PR_SET_NAME, "waits");
	wait_forever();
	return unused;
}

#define NOTES	20000

struct note {
	uint64_t at_ns, wall_ns[FUNCTIONS], cpu_ns[FUNCTIONS];
};
static struct note notes[NOTES];
static _Atomic unsigned int nr_notes;

static void *takes_notes(void *unused)
{
	prctl(PR_SET_NAME, "takes-notes");
	while (nr_notes < NOTES) {
		struct note *note = &notes[nr_notes];

		note->at_ns = now_ns(CLOCK_MONOTONIC);
		for (int i = 0; i < FUNCTIONS; i++) {
			uint64_t began = began_ns[i];

			note->wall_ns[i] = wall_ns[i] + (began && began < note->at_ns ? note->at_ns - began : 0);
			note->cpu_ns[i] = cpu_ns[i];
		}
		nr_notes++;
		wait_us(5000);
	}
	return unused;
}

int main(void)
{
	void *(*const all[])(void *) = { computes, holds, locks, shorts, deep, calls_below, waits, takes_notes };
	pthread_t thread;
	char line[64];

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		pthread_create(&thread, NULL, all[i], NULL);
	while (fgets(line, sizeof(line), stdin)) {
		for (unsigned int n = 0; n < nr_notes; n++) {
			printf("%llu", (unsigned long long)notes[n].at_ns);
			for (int i = 0; i < FUNCTIONS; i++)
				printf(" %s.wall %llu %s.cpu %llu", names[i], (unsigned long long)notes[n].wall_ns[i],
				       names[i], (unsigned long long)notes[n].cpu_ns[i]);
			printf("\n");
		}
		printf("\n");
		fflush(stdout);
	}
	return 0;
}
