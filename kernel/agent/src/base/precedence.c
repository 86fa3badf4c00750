// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/loop.h"
#include "base/precedence.h"

/* Nobody else of this program uses it. */
#define SPENT_SIGNAL	SIGPROF

static struct {
	timer_t timer;
	uint64_t begin_ns, begin_cpu_ns;	/* of this window: the clock, and this thread's CPU time */
	volatile uint64_t end_ns;
	bool is_on;
	volatile sig_atomic_t is_spent;		/* in this window */
} precedence;

/* The lowest one of real time: who is of that by itself goes first. */
static int be_first(void)
{
	const struct sched_param lowest = { .sched_priority = sched_get_priority_min(SCHED_RR) };

	return sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &lowest) ? errno : 0;
}

static void be_ordinary(void)
{
	const struct sched_param none = { 0 };

	/* Who may not take the flag away keeps it. */
	if (sched_setscheduler(0, SCHED_OTHER, &none))
		sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &none);
}

static void on_spent(int signal)
{
	int error = errno;

	/* The timer is looked at once a tick: what it was late by makes the window longer. */
	precedence.end_ns = precedence.begin_ns + PRECEDENCE_SHARE * (clock__cpu_ns() - precedence.begin_cpu_ns);
	precedence.is_spent = true;
	be_ordinary();
	errno = error;
}

/* One that is of real time already was made so by its user, and stays as it is. */
static bool is_ordinary(void)
{
	return (sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_OTHER;
}

int precedence__try(void)
{
	int error;

	if (precedence.is_on || !is_ordinary())
		return 0;
	error = be_first();
	if (!error)
		be_ordinary();
	return error;
}

static void window__begin(uint64_t now_ns)
{
	const struct itimerspec most = { .it_value.tv_nsec = PRECEDENCE_MOST_NS };

	precedence.begin_ns = now_ns;
	precedence.begin_cpu_ns = clock__cpu_ns();
	precedence.end_ns = now_ns + PRECEDENCE_SHARE * PRECEDENCE_MOST_NS;
	if (timer_settime(precedence.timer, 0, &most, NULL) || !precedence.is_spent)
		return;
	precedence.is_spent = false;
	be_first();
}

int precedence__begin(void)
{
	struct sigaction action = { .sa_handler = on_spent, .sa_flags = SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SPENT_SIGNAL };
	int error;

	if (precedence.is_on || !is_ordinary())
		return 0;
	event._sigev_un._tid = syscall(SYS_gettid);
	if (sigaction(SPENT_SIGNAL, &action, NULL) ||
	    timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &precedence.timer))
		return errno;
	error = be_first();
	if (error) {
		timer_delete(precedence.timer);
		return error;
	}
	precedence.is_on = true;
	precedence.is_spent = false;
	window__begin(clock__now_ns());
	return 0;
}

void precedence__end(void)
{
	if (!precedence.is_on)
		return;
	precedence.is_on = false;
	/* Its signal, if it is under way, only makes ordinary what is about to be. */
	timer_delete(precedence.timer);
	be_ordinary();
}

void precedence__renew(void)
{
	uint64_t now_ns;

	if (!precedence.is_on)
		return;
	now_ns = clock__now_ns();
	if (now_ns >= precedence.end_ns)
		window__begin(now_ns);
}

void precedence__before_wait(void)
{
	struct timespec rest = { 0 };
	uint64_t now_ns;

	precedence__renew();
	if (!precedence.is_on || !precedence.is_spent)
		return;
	now_ns = clock__now_ns();
	if (now_ns < precedence.end_ns) {
		rest.tv_nsec = precedence.end_ns - now_ns;
		/* So that others' threads do not keep it from going on. */
		be_first();
		nanosleep(&rest, NULL);
	}
	window__begin(clock__now_ns());
}
