// SPDX-License-Identifier: GPL-2.0
/*
 * Why calls in the own process did not run: what the stamps make of clocks that this test writes itself, to the ns, and then of
 * those of the scheduler's programs.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "bpf/metrics.h"
#include "on_cpu.h"
#include "own_process.h"

_Static_assert(XP_CAUSES == JUMP_CAUSES, "the causes are the same");
#define CAUSE(name) (XP_##name - XP_FIRST_CAUSE)
#define WAIT_NS 3000000
#define TICKS 3000000ull	/* that a call takes at least */

static struct own_process own;
static struct jump_clock clocks[JUMP_MAX_CLOCKS] __attribute__((aligned(256)));
static int failed;

static void check(bool good, const char *name, const char *what)
{
	printf("%s %s: %s\n", good ? "ok" : "not ok", name, what);
	failed |= !good;
}

/* What calls since the last time took, did not run, and why. */
struct told {
	uint64_t calls, wall, off, cause[JUMP_CAUSES], in_buckets[JUMP_CAUSES], untold, untold_total, unknown, beyond;
	int64_t away;
};

static uint64_t sum_of(const uint32_t *buckets)
{
	uint64_t sum = 0;

	for (int i = 0; i < JUMP_BUCKETS; i++)
		sum += buckets[i];
	return sum;
}

static struct told since(void)
{
	static struct told earlier;
	static struct call_buckets buckets;
	struct call_counts counts = own_process__counts(&own, 0);
	struct told now = { .calls = counts.timed, .wall = counts.total, .untold = counts.untold, .untold_total = counts.untold_total,
			    .unknown = counts.unknown, .beyond = counts.beyond, .away = counts.away_ns };
	struct told new;

	shared__buckets(own.shared, &own.layout, 0, &buckets);
	for (int i = 0; i < JUMP_CAUSES; i++) {
		now.cause[i] = counts.cause_total[i];
		now.in_buckets[i] = sum_of(buckets.cause[i]);
		now.off += counts.cause_total[i];
	}
	new = now;
	for (size_t i = 0; i < sizeof(new) / sizeof(uint64_t); i++)
		((uint64_t *)&new)[i] -= ((uint64_t *)&earlier)[i];
	earlier = now;
	return new;
}

/* What happens within a call, by the clocks of all processors. */
static uint64_t meanwhile_ns[JUMP_CAUSES], meanwhile_more;	/* more: away, and for no cause */

static void be_away(void)
{
	for (int i = 0; i < JUMP_MAX_CLOCKS; i++) {
		for (int cause = 0; cause < JUMP_CAUSES; cause++) {
			clocks[i].away_ns += meanwhile_ns[cause];
			clocks[i].cause_ns[cause] += meanwhile_ns[cause];
		}
		clocks[i].away_ns += meanwhile_more;
	}
}

static void meanwhile(void)
{
	uint64_t begin = __rdtsc();

	while (__rdtsc() - begin < TICKS)
		;
	be_away();
}

static struct told call(void)
{
	since();
	o_works(meanwhile);
	return since();
}

/* Whether the call had these causes and no others, each once in a histogram. */
static bool has_causes(const struct told *told, const uint64_t *causes)
{
	for (int i = 0; i < JUMP_CAUSES; i++)
		if (told->cause[i] != causes[i] || told->in_buckets[i] != (causes[i] != 0))
			return false;
	return told->calls == 1 && !told->unknown;
}

static void check_all_causes(void)
{
	struct told told;

	for (int i = 0; i < JUMP_CAUSES; i++)
		meanwhile_ns[i] = 1000 + i;
	told = call();
	check(has_causes(&told, meanwhile_ns) && !told.untold && !told.beyond && told.off == (uint64_t)told.away,
	      "a call that waits for all there is", "each to the ns, once in its histogram");
	be_away();
	told = call();
	check(has_causes(&told, meanwhile_ns) && !told.untold, "the same, and the thread was away before it", "that is not the call's");
	memset(meanwhile_ns, 0, sizeof(meanwhile_ns));
	told = call();
	check(!told.off && told.calls == 1, "a call that waits for nothing", "has none");
	meanwhile_ns[CAUSE(LOCK)] = 5000;
	told = call();
	check(has_causes(&told, meanwhile_ns), "one that begins as the last one ended", "has its own alone");
	memset(meanwhile_ns, 0, sizeof(meanwhile_ns));
	call();
	meanwhile_ns[CAUSE(LOCK)] = 5000;
	be_away();
	told = call();
	check(has_causes(&told, meanwhile_ns), "one whose thread was away since the last one ended", "as well");
}

static void check_untold(void)
{
	uint64_t other[JUMP_CAUSES] = { [CAUSE(OTHER)] = 6000 };
	struct told told;

	meanwhile_more = 1000;
	told = call();
	meanwhile_more = 0;
	check(has_causes(&told, other) && told.untold == 1 && told.untold_total == 6000 && told.away == 6000,
	      "a call of which is not known why it did not run", "is under other as a whole, and told");
	meanwhile_ns[CAUSE(LOCK)] = -200ull;
	meanwhile_ns[CAUSE(SLEEP)] = 6200;
	told = call();
	meanwhile_ns[CAUSE(LOCK)] = meanwhile_ns[CAUSE(SLEEP)] = 0;
	check(has_causes(&told, other) && told.untold == 1, "one that waited for less than nothing", "as well");
}

static void check_shortened(void)
{
	struct told told;

	meanwhile_ns[CAUSE(RUN_QUEUE)] = 700;
	meanwhile_ns[CAUSE(SLEEP)] = 1000000000000;
	told = call();
	check(told.off == told.wall && told.cause[CAUSE(SLEEP)] == told.wall && !told.untold && told.beyond + told.wall == 1000000000700,
	      "one that was away for longer than it took", "is cut to what it took, and told");
	memset(meanwhile_ns, 0, sizeof(meanwhile_ns));
}

static void check_unknown(void)
{
	struct told told;

	own.shared->nr_clocks = 0;
	told = call();
	own.shared->nr_clocks = JUMP_MAX_CLOCKS;
	check(told.unknown == 1 && told.cause[CAUSE(OTHER)] == told.wall && told.off == told.wall && !told.untold,
	      "a call of which is not known how long it ran", "is under other with all of its time");
}

static void check_made_up(void)
{
	const uint64_t rate = own.shared->rate;
	uint64_t self;

	asm volatile("rdfsbase %0" : "=r"(self));
	for (int i = 0; i < JUMP_MAX_CLOCKS; i++)
		clocks[i] = (struct jump_clock){ .thread = self, .number = 1ull << 32, .away_ns = 12345 };
	own.shared->rate = 1ull << 32;
	shared__use_clocks(own.shared, (uint64_t)clocks, JUMP_MAX_CLOCKS);
	o_works(meanwhile);
	check_all_causes();
	check_untold();
	check_shortened();
	check_unknown();
	shared__use_clocks(own.shared, 0, 0);
	own.shared->rate = rate;
}

static void wait_in_sleep(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = WAIT_NS }, NULL);
}

static void wait_for_lock(void)
{
	uint32_t word = 1;

	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, &(struct timespec){ .tv_nsec = WAIT_NS }, NULL, 0);
}

static void wait_for_network(void)
{
	poll(NULL, 0, WAIT_NS / 1000000);
}

static void wait_for_child(void)
{
	pid_t child = vfork();

	if (!child) {
		usleep(WAIT_NS / 1000);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

/* Another process lets this one go on, some time after it has seen that it stands. */
static void be_stopped(void)
{
	const pid_t self = getpid();
	pid_t helper = fork();
	char path[32], stat[64] = "";

	if (helper) {
		kill(self, SIGSTOP);
		waitpid(helper, NULL, 0);
		return;
	}
	snprintf(path, sizeof(path), "/proc/%d/stat", self);
	while (!strstr(stat, ") T ")) {
		int file = open(path, O_RDONLY);

		if (file < 0 || read(file, stat, sizeof(stat) - 1) <= 0)
			_exit(1);
		close(file);
	}
	usleep(WAIT_NS / 1000);
	kill(self, SIGCONT);
	_exit(0);
}

static int faults = -1;
static char *missing;

/* Fills the page in some time after it was touched. */
static void *fill_in(void *unused)
{
	struct uffdio_zeropage page = { .range = { (uint64_t)missing, JUMP_PAGE } };
	struct uffd_msg message;

	if (read(faults, &message, sizeof(message)) != sizeof(message))
		return NULL;
	usleep(WAIT_NS / 1000);
	ioctl(faults, UFFDIO_ZEROPAGE, &page);
	return NULL;
}

static bool open_faults(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register wished = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	missing = mmap(NULL, JUMP_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	wished.range = (struct uffdio_range){ (uint64_t)missing, JUMP_PAGE };
	faults = syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	return faults >= 0 && !ioctl(faults, UFFDIO_API, &api) && !ioctl(faults, UFFDIO_REGISTER, &wished);
}

static void touch_missing(void)
{
	*(volatile char *)missing = 1;
}

static void wait_for_page(void)
{
	pthread_t filler;

	madvise(missing, JUMP_PAGE, MADV_DONTNEED);
	pthread_create(&filler, NULL, fill_in, NULL);
	touch_missing();
	pthread_join(filler, NULL);
}

static const struct {
	const char *name;
	void (*wait)(void);
	int cause;
} waits[] = {
	{ "a call that waits in a sleep", wait_in_sleep, CAUSE(SLEEP) },
	{ "for a lock", wait_for_lock, CAUSE(LOCK) },
	{ "for the network", wait_for_network, CAUSE(NETWORK) },
	{ "for a child", wait_for_child, CAUSE(OTHER) },
	{ "that is stopped", be_stopped, CAUSE(STOPPED) },
};

/* What it waits for is told, and none of what the others do; the machine may take the processor from it, or be short of memory. */
static void check_wait(const char *name, void (*wait)(void), int cause)
{
	static const int own_causes[] = { CAUSE(SLEEP), CAUSE(NETWORK) };
	bool is_other = false;
	struct told told;
	char what[200];

	/* Not known is a call whose beginning no switch told of, or during which the thread was away within a stamp. */
	for (int i = 0; i < 100; i++) {
		usleep(1);
		since();
		o_works(wait);
		told = since();
		if (!told.unknown && !told.untold)
			break;
	}
	for (size_t i = 0; i < sizeof(own_causes) / sizeof(*own_causes); i++)
		is_other |= own_causes[i] != cause && told.cause[own_causes[i]];
	snprintf(what, sizeof(what), "%" PRIu64 " ns, off %" PRIu64 ", of its own %" PRIu64 ", run queue %" PRIu64 ", unknown %" PRIu64 ", untold %" PRIu64,
		 told.wall, told.off, told.cause[cause], told.cause[CAUSE(RUN_QUEUE)], told.unknown, told.untold);
	check(told.calls == 1 && !told.unknown && !told.untold && told.off <= told.wall && told.cause[cause] >= WAIT_NS * 9 / 10 && !is_other,
	      name, what);
}

/* What others bring about; where they did not, it is tried again. */
static void check_taken(const char *name, void (*work)(void), int cause)
{
	struct told told;
	char what[100];

	for (int i = 0; i < 100; i++) {
		since();
		o_works(work);
		told = since();
		if (!told.unknown && told.cause[cause])
			break;
	}
	snprintf(what, sizeof(what), "%" PRIu64 " ns of %" PRIu64, told.cause[cause], told.wall);
	check(told.cause[cause] && told.off <= told.wall && !told.unknown, name, what);
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "o_works" };
	struct error error = { 0 };

	own_process__init(&own, names, 1, 1, 64);
	own_process__patch(&own);
	if (thread_clocks__check_processor(NULL)) {
		printf("ok causes: skipped, the processor can't\n");
		return 0;
	}
	check_made_up();
	if (own_process__use_clocks(&own, &error)) {
		printf("ok causes of the scheduler's: skipped: %s\n", error.message);
		return failed;
	}
	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++)
		check_wait(waits[i].name, waits[i].wait, waits[i].cause);
	if (open_faults())
		check_wait("for a page", wait_for_page, CAUSE(PAGE_FAULT));
	else
		printf("ok for a page: skipped, faults can't be seen here\n");
	on_cpu__begin_rivals();
	check_taken("that is preempted", on_cpu__long, CAUSE(PREEMPTED));
	check_taken("that waits for a CPU when it is woken", on_cpu__mix, CAUSE(RUN_QUEUE));
	on_cpu__end_rivals();
	thread_clocks__close(&own.clocks);
	return failed;
}
