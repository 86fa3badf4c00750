// SPDX-License-Identifier: GPL-2.0
/*
 * For how long nobody else gets the CPU while text is changed at many places.  One emulated CPU whose
 * time counts instructions, so that it is the same on any machine.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "harness.h"

enum { NAMES_MAX = 60000, MS = 1000000 };

static const char *names[NAMES_MAX];
static size_t nr;

/* In memory that is shared with who looks. */
static volatile int64_t *longest;

/* Wakes each millisecond, before anybody else, and notes how late. */
static pid_t look(void)
{
	struct sched_param p = { .sched_priority = 50 };
	int64_t wanted, late;
	pid_t pid;

	longest = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(longest != MAP_FAILED);
	pid = fork();
	CHECK(pid >= 0);
	if (pid)
		return pid;
	CHECK(!sched_setscheduler(0, SCHED_FIFO, &p));
	for (;;) {
		wanted = now_ns() + MS;
		usleep(MS / 1000);
		late = now_ns() - wanted;
		if (late > *longest)
			*longest = late;
	}
}

/* In microseconds: the longest time in which nobody else had the CPU. */
static unsigned int standing(void (*step)(void *data), void *data)
{
	usleep(20000);
	*longest = 0;
	step(data);
	usleep(5000);
	return *longest / 1000;
}

static void others_trace(void *unused)
{
	(void)unused;
	write_file(TRACING "current_tracer", "function");
	write_file(TRACING "current_tracer", "nop");
}

static void worker_traces(void *worker)
{
	worker_do(worker, OP_WRITE_FILES, 1);
}

struct client {
	struct kview_view *v;
	struct kview_set *returns, *entries;
	struct kview_attachment *att;
	struct worker *w;
};

static void comes(void *client)
{
	struct kview_set_opts skip = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	struct client *c = client;

	c->v = view();
	c->returns = kview_view__add_returns(c->v, names, nr, &skip);
	c->entries = kview_view__add_functions(c->v, names, nr, &skip);
	CHECK(c->returns && c->entries);
	c->att = attach(c->v, c->w->pid, 0);
}

static void goes(void *client)
{
	struct client *c = client;

	kview_view__free(c->v);
	kview_attachment__free(c->att);
	kview_set__free(c->entries);
	kview_set__free(c->returns);
	usleep(200000);		/* what is freed later */
}

/* Of the kernel image; they are in ftrace's filter then. */
static void choose(const char *pattern)
{
	char line[512], sym[256];
	FILE *f;

	write_file(TRACING "tracing_on", "0");
	write_file(TRACING "set_ftrace_filter", pattern);
	f = fopen(*pattern ? TRACING "set_ftrace_filter" : TRACING "available_filter_functions", "r");
	CHECK(f);
	nr = 0;
	while (nr < NAMES_MAX && fgets(line, sizeof(line), f))
		if (!strchr(line, '[') && sscanf(line, "%255s", sym) == 1)
			names[nr++] = strdup(sym);
	fclose(f);
	CHECK(nr > 100);
}

static void rest_with(const char *pattern, unsigned int limit_us)
{
	struct worker w = worker_start();
	struct client c = { .w = &w };
	unsigned int without, with, viewed, inside, coming, going;
	pid_t looks = look();

	choose(pattern);
	without = standing(others_trace, NULL);
	module_load("");
	with = standing(others_trace, NULL);
	coming = standing(comes, &c);
	viewed = standing(others_trace, NULL);
	inside = standing(worker_traces, &w);
	going = standing(goes, &c);
	kill(looks, SIGKILL);
	CHECK(waitpid(looks, NULL, 0) == looks);
	worker_quit(&w);
	check_nothing_left();
	module_unload();
	write_file(TRACING "set_ftrace_filter", "");
	write_file(TRACING "tracing_on", "1");
	figure("%zu functions, longest without a rest: others trace them: %u us without the module, %u with it, %u with all of them in a view; who is in that does: %u; they come into a view: %u, and go: %u",
	       nr, without, with, viewed, inside, coming, going);
	if (limit_us && (with > limit_us || viewed > limit_us || inside > limit_us || coming > limit_us || going > limit_us))
		fail(__FILE__, __LINE__, "longer than %u us: %u traced by others, %u with a view, %u by who is in it; coming %u, going %u",
		     limit_us, with, viewed, inside, coming, going);
}

static void rest(void)
{
	rest_with("*re*", 25000);
}

static void rest_all(void)
{
	rest_with("", 0);
}

const struct test_case cases_rest[] = {
	{ "rest", rest, COST, LOAD_NOT, "changes of text at many places let others have the CPU" },
	{ "rest-all", rest_all, BENCH, LOAD_NOT, "the same of all functions, timed: 1 ns an instruction" },
	{ 0 },
};
