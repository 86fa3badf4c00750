// SPDX-License-Identifier: GPL-2.0
/* While it is measured what a context switch costs, others have their turn: between the parts, with nothing attached, and on any CPU. */
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "base/loop.h"
#include "check.h"
#include "mechanism/cost/switch_cost.h"

static struct loop *loop;
static struct loop_source measures, other;
static unsigned int attached, turns, turns_between, turns_attached, turns_on_one;
static bool is_attached;

static int attach(void *context)
{
	attached++;
	is_attached = true;
	return 0;
}

static void detach(void *context)
{
	is_attached = false;
}

/* Always ready. */
static void other__ready(void *context, uint32_t events)
{
	cpu_set_t cpus;

	sched_getaffinity(0, sizeof(cpus), &cpus);
	turns++;
	turns_between += attached > 0 && attached < 3;
	turns_attached += is_attached;
	turns_on_one += CPU_COUNT(&cpus) != *(int *)context;
}

static void measures__ready(void *context, uint32_t events)
{
	uint64_t cost_ns = 0;
	int measured = switch_cost__measure(&cost_ns, attach, detach, NULL);

	check(!measured, "it is measured", cost_ns);
	loop__stop(loop);
}

int main(void)
{
	cpu_set_t cpus;
	int nr;

	sched_getaffinity(0, sizeof(cpus), &cpus);
	nr = CPU_COUNT(&cpus);
	loop = loop__new();
	measures = (struct loop_source){ eventfd(1, 0), measures__ready, NULL, 0 };
	other = (struct loop_source){ eventfd(1, 0), other__ready, &nr, LOOP_IN_BETWEEN };
	if (loop__watch(loop, &other, EPOLLIN) || loop__watch(loop, &measures, EPOLLIN))
		return 1;
	loop__run(loop);
	check(attached == 3, "in three rounds", attached);
	/* One after each round at least, which takes more than the time in which a turn is not given again. */
	check(turns_between > 1, "others have their turn between them", turns_between);
	check(!turns_attached, "not while anything is attached", turns_attached);
	check(!turns_on_one, "and not on one CPU alone", turns_on_one);
	loop__free(loop);
	return failed;
}
