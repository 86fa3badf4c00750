// SPDX-License-Identifier: GPL-2.0
#include "shop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct shop_truth shop_truths[SHOP_FUNCTIONS];

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

void truth__add(struct shop_truth *truth, uint64_t wall_ns, uint64_t on_cpu_ns)
{
	truth->calls++;
	truth->wall_ns += wall_ns;
	truth->on_cpu_ns += on_cpu_ns;
	if (wall_ns > truth->wall_max_ns)
		truth->wall_max_ns = wall_ns;
}

/* What reading the clocks adds to each call: the truth of an empty call. */
static struct shop_truth truth__of_nothing(void)
{
	struct shop_truth nothing = {0};

	for (int i = 0; i < 10000; i++) {
		uint64_t cpu_ns = clock__cpu_ns();
		uint64_t wall_ns = clock__wall_ns();

		wall_ns = clock__wall_ns() - wall_ns;
		cpu_ns = clock__cpu_ns() - cpu_ns;
		truth__add(&nothing, wall_ns, cpu_ns);
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
			",\"on_cpu_total_ns\":%" PRIu64 "}", separator, entry->name, entry->cause,
			entry->thread, truth->tid, truth->calls, truth->wall_ns,
			truth->wall_max_ns, truth->on_cpu_ns);
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
