// SPDX-License-Identifier: GPL-2.0
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/loop.h"
#include "mechanism/cache_walk.h"
#include "mechanism/trap/calibrate_child.h"
#include "mechanism/trap/calibrate_crowd.h"
#include "mechanism/trap/calibration_code.h"
#include "mechanism/trap/estimate.h"

#define CALLS		64	/* a batch: short enough to miss most ticks */
#define STEPPED_CALLS	32
#define COLD_CALLS	9
#define RESTED_CALLS	1
/* Who gets no CPU for so long gets none: nobody waits for it any more. */
#define PATIENCE_NS	60000000000ULL

/* What is asked for: batches by their caches, a single call, a batch in a crowd, or what is paid beside. */
#define ONCE		CACHES
#define CROWDED		(CACHES + 1)
#define BESIDE		(CACHES + 2)	/* and enum calibrate_beside */
#define KINDS		(BESIDE + BESIDES)

unsigned int calibrate_child__calls(uint8_t class, enum calibrate_caches caches)
{
	if (caches == CACHES_RESTED)
		return RESTED_CALLS;
	switch (class) {
	case XP_COST_CALL(XP_ENTRY_EMULATED, XP_EXIT_URETPROBE):
	case XP_COST_CALL(XP_ENTRY_EMULATED, XP_EXIT_EMULATED):
	case XP_COST_PASS(XP_EXIT_EMULATED):
		return caches == CACHES_COLD ? COLD_CALLS : CALLS;
	default:
		return caches == CACHES_COLD ? COLD_CALLS : STEPPED_CALLS;
	}
}

/* How often the thread was switched. */
static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/*
 * CPU time leaves out who else has the CPU meanwhile.  Kernels that account for interrupts leave
 * those out as well: what comes by chance is seen on the wall clock, where nobody else had the CPU.
 */
static struct calibrate_batch batch__warm(uint8_t class, unsigned int calls)
{
	struct calibrate_batch batch = { .threads = 1 };
	long before = switches();
	uint64_t wall_ns = clock__now_ns(), cpu_ns = clock__cpu_ns();

	calibration_code__call(calibration_code[class].start, calls);
	batch.call_ns = (double)(clock__cpu_ns() - cpu_ns) / calls;
	batch.wall_ns = clock__now_ns() - wall_ns;
	if (switches() != before)
		batch.wall_ns = 0;
	return batch;
}

/* A clock that needs no system call: that would warm the way into the kernel. */
static double batch__cold(uint8_t class, const struct cache_walk *walk)
{
	double taken_ns[COLD_CALLS];
	uint64_t begin_ns;
	int i;

	for (i = 0; i < COLD_CALLS; i++) {
		cache_walk__go(walk);
		begin_ns = clock__now_ns();
		calibration_code__call(calibration_code[class].start, 1);
		taken_ns[i] = clock__now_ns() - begin_ns;
	}
	return median(taken_ns, COLD_CALLS);
}

static double batch__rested(uint8_t class)
{
	static const struct timespec rest = { .tv_nsec = CALIBRATE_REST_NS };
	uint64_t begin_ns;

	nanosleep(&rest, NULL);
	begin_ns = clock__now_ns();
	calibration_code__call(calibration_code[class].start, RESTED_CALLS);
	return clock__now_ns() - begin_ns;
}

static struct calibrate_batch batch__crowded(uint8_t class)
{
	struct calibrate_batch batch;

	crowd__begin(class);
	crowd__mark();
	batch = batch__warm(class, calibrate_child__calls(class, CACHES_WARM));
	batch.threads = crowd__calling();
	crowd__end();
	return batch;
}

static void run(int fd)
{
	struct calibrate_batch batch;
	struct cache_walk walk;
	uint8_t wanted, class;

	if (cache_walk__init(&walk))
		_exit(1);
	while (read(fd, &wanted, 1) == 1) {
		class = wanted / KINDS;
		if (wanted % KINDS == CACHES_COLD)
			batch = (struct calibrate_batch){ .call_ns = batch__cold(class, &walk) };
		else if (wanted % KINDS == CACHES_RESTED)
			batch = (struct calibrate_batch){ .call_ns = batch__rested(class) };
		else if (wanted % KINDS == CROWDED)
			batch = batch__crowded(class);
		else if (wanted % KINDS >= BESIDE)
			batch = (struct calibrate_batch){ .call_ns = beside__ns(wanted % KINDS - BESIDE, class) };
		else
			batch = batch__warm(class, wanted % KINDS == ONCE ? 1 :
					    calibrate_child__calls(class, CACHES_WARM));
		if (write(fd, &batch, sizeof(batch)) != sizeof(batch))
			break;
	}
	_exit(0);
}

int calibrate_child__start(struct calibrate_child *child)
{
	pid_t parent = getpid();
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return -1;
	child->pid = fork();
	if (child->pid < 0) {
		close(fds[0]);
		close(fds[1]);
		return -1;
	}
	if (!child->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		close(fds[0]);
		run(fds[1]);
	}
	close(fds[1]);
	child->fd = fds[0];
	return 0;
}

void calibrate_child__end(struct calibrate_child *child)
{
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	close(child->fd);
}

static int child__ask(const struct calibrate_child *child, uint8_t wanted,
		      struct calibrate_batch *batch)
{
	return write(child->fd, &wanted, 1) == 1 && loop__await(child->fd, PATIENCE_NS) &&
	       read(child->fd, batch, sizeof(*batch)) == sizeof(*batch) ? 0 : -1;
}

int calibrate_child__batch(const struct calibrate_child *child, uint8_t class,
			   enum calibrate_caches caches, struct calibrate_batch *batch)
{
	return child__ask(child, class * KINDS + caches, batch);
}

int calibrate_child__crowded(const struct calibrate_child *child, uint8_t class, struct calibrate_batch *batch)
{
	return child__ask(child, class * KINDS + CROWDED, batch);
}

int calibrate_child__once(const struct calibrate_child *child, uint8_t class, double *call_ns)
{
	struct calibrate_batch batch;
	int result = child__ask(child, class * KINDS + ONCE, &batch);

	*call_ns = batch.call_ns;
	return result;
}

int calibrate_child__beside(const struct calibrate_child *child, uint8_t class,
			    enum calibrate_beside what, double *ns)
{
	struct calibrate_batch batch;
	int result = child__ask(child, class * KINDS + BESIDE + what, &batch);

	*ns = batch.call_ns;
	return result;
}
