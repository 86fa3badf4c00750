// SPDX-License-Identifier: GPL-2.0
#include "shop.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct shop_truth shop_truths[SHOP_FUNCTIONS];
bool shop_asks_scheduler;

static uint64_t clock__ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

uint64_t clock__wall_ns(void)
{
	return clock__ns(CLOCK_MONOTONIC);
}

uint64_t clock__cpu_ns(void)
{
	return clock__ns(CLOCK_THREAD_CPUTIME_ID);
}

static bool is_asked(enum shop_id id)
{
	return shop_asks_scheduler && !shop_entries[id].is_short;
}

/* What the scheduler tells of this thread; nothing where it is not asked, or does not tell. */
static struct shop_waits waits__now(enum shop_id id)
{
	static __thread int fd;
	struct shop_waits waits = {0};
	char text[100] = "";

	if (!is_asked(id))
		return waits;
	if (!fd)
		fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && pread(fd, text, sizeof(text) - 1, 0) > 0)
		sscanf(text, "%*u %" SCNu64 " %" SCNu64, &waits.ns, &waits.runs);
	return waits;
}

/* Of one moment: where the thread had to wait for a CPU between the readings they are read again. */
struct shop_clocks clocks__begin(enum shop_id id)
{
	struct shop_clocks now;

	do {
		now.waits = waits__now(id);
		now.cpu_ns = clock__cpu_ns();
		now.wall_ns = clock__wall_ns();
	} while (waits__now(id).runs != now.waits.runs);
	now.asking_ns = is_asked(id) ? clock__cpu_ns() - now.cpu_ns : 0;
	return now;
}

static void clocks__ask(enum shop_id id, struct shop_clocks *now)
{
	do {
		now->waits = waits__now(id);
		now->wall_ns = clock__wall_ns();
	} while (waits__now(id).runs != now->waits.runs);
}

/*
 * The CPU clock comes last.  For reading it the kernel brings the thread's account up to date, and sees
 * that its slice is over, which is else seen at the next tick: it would make the thread wait, behind the call.
 */
struct shop_clocks clocks__end(enum shop_id id)
{
	struct shop_clocks now = {0}, again;

	clocks__ask(id, &now);
	now.cpu_ns = clock__cpu_ns();
	if (is_asked(id)) {
		clocks__ask(id, &again);
		now.asking_ns = clock__cpu_ns() - now.cpu_ns;
	}
	return now;
}

void truth__add(struct shop_truth *truth, const struct shop_clocks *begin, const struct shop_clocks *end)
{
	uint64_t asking_ns = begin->asking_ns + end->asking_ns;
	/* At the end it is read in the middle of asking. */
	uint64_t wall_ns = end->wall_ns - begin->wall_ns - begin->asking_ns - end->asking_ns / 2;
	uint64_t waited_ns = end->waits.ns - begin->waits.ns;

	truth->calls++;
	truth->wall_ns += wall_ns;
	truth->on_cpu_ns += end->cpu_ns - begin->cpu_ns - asking_ns;
	truth->waited_ns += waited_ns;
	truth->runs += end->waits.runs - begin->waits.runs;
	if (waited_ns > truth->waited_max_ns)
		truth->waited_max_ns = waited_ns;
	if (wall_ns > truth->wall_max_ns)
		truth->wall_max_ns = wall_ns;
}

/* What reading the clocks adds to each call: the truth of an empty call. */
static struct shop_truth truth__of_nothing(void)
{
	struct shop_truth nothing = {0};

	for (int i = 0; i < 10000; i++) {
		struct shop_clocks begin = clocks__begin(LOOKUP_PRICE), end = clocks__end(LOOKUP_PRICE);

		truth__add(&nothing, &begin, &end);
	}
	return nothing;
}

int truth__write(const char *path, const bool *selected, uint64_t run_ns)
{
	FILE *out = strcmp(path, "-") ? fopen(path, "we") : stdout;
	struct shop_truth nothing = truth__of_nothing();
	const char *separator = "";
	int err;

	if (!out)
		return -1;
	fprintf(out, "{\"schema\":\"kview-demo-truth/1\",\"pid\":%d,\"run_ns\":%" PRIu64 ",\n",
		getpid(), run_ns);
	fprintf(out, " \"clocks\":{\"wall\":\"CLOCK_MONOTONIC\","
		"\"on_cpu\":\"CLOCK_THREAD_CPUTIME_ID\",\"read_by\":\"caller\",\n"
		"  \"included_per_call_ns\":{\"wall\":%" PRIu64 ",\"on_cpu\":%" PRIu64 "}},\n"
		" \"functions\":[", nothing.wall_ns / nothing.calls,
		nothing.on_cpu_ns / nothing.calls);
	for (int id = 0; id < SHOP_FUNCTIONS; id++) {
		const struct shop_entry *entry = &shop_entries[id];
		const struct shop_truth *truth = &shop_truths[id];

		if (!selected[id])
			continue;
		fprintf(out, "%s\n  {\"name\":\"%s\",\"cause\":\"%s\",\"thread\":\"%s\",\"tid\":%d,"
			"\"calls\":%" PRIu64 ",\"wall_total_ns\":%" PRIu64 ",\"wall_max_ns\":%" PRIu64
			",\"on_cpu_total_ns\":%" PRIu64 ",\"waited_total_ns\":%" PRIu64
			",\"waited_max_ns\":%" PRIu64 ",\"runs\":%" PRIu64 "}", separator, entry->name, entry->cause,
			entry->thread, truth->tid, truth->calls, truth->wall_ns,
			truth->wall_max_ns, truth->on_cpu_ns, truth->waited_ns, truth->waited_max_ns, truth->runs);
		separator = ",";
	}
	fprintf(out, "]}\n");
	err = ferror(out);
	if (out == stdout)
		err |= fflush(out);
	else
		err |= fclose(out);
	return err ? -1 : 0;
}
