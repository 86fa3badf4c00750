// SPDX-License-Identifier: GPL-2.0
/*
 * Measures functions of a running process by jumps, see docs/jump-probes.md.
 *
 *	kview-jump [--patience MS] [--wall] PID BINARY FUNCTION...
 *						prints their figures at each line of its input, and restores all at its end, or when it is
 *						asked to end; --wall: without times on CPUs
 *	kview-jump --clean PID			restores what one that was killed left, also in a child of such a process
 *
 * Processes that were forked meanwhile, and live, are restored with it.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/metrics.h"
#include "place/children.h"
#include "place/prepare.h"

#define SETS 4096
#define MOST_SHARDS 16
#define MOST_LEFT 100
#define MOST_FUNCTIONS 10000

/* The end of its input, so that all is restored. */
static void end_input(int signal)
{
	close(STDIN_FILENO);
}

static void take_signals(void)
{
	/* They interrupt its reading. */
	const struct sigaction end = { .sa_handler = end_input };

	sigaction(SIGINT, &end, NULL);
	sigaction(SIGTERM, &end, NULL);
	sigaction(SIGHUP, &end, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int fail(const struct error *error)
{
	fprintf(stderr, "kview-jump: %s\n", error->message);
	return 1;
}

static void free_children(const struct remote *remote)
{
	struct freed_children children = { 0 };

	remote__free_children(remote, &children);
	if (children.freed || children.left)
		printf("children %zu restored, %zu left\n", children.freed, children.left);
}

static int clean(pid_t pid)
{
	struct error error = { 0 };
	struct remote remote;
	int found, err = 0;

	/* A process may put there what looks like one, again and again. */
	for (int i = 0; i < MOST_LEFT && !err && (found = remote__find(&remote, pid, &error)); i++) {
		size_t jumps = remote.image.nr;

		if (found < 0)
			return fail(&error);
		err = remote__detach(&remote, &error);
		if (!err)
			printf("restored %zu jumps\n", jumps);
		free_children(&remote);
		remote__free(&remote);
	}
	return err ? fail(&error) : 0;
}

static uint32_t shards(void)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint32_t shards = 1;

	while (shards < processors && shards < MOST_SHARDS)
		shards *= 2;
	return shards;
}

/* What calls took is what they ran and their causes; of one that ends meanwhile there may be causes alone. */
static void print_on_cpu(const struct call_counts *counts)
{
	static const char *const causes[JUMP_CAUSES] = {
		[XP_RUN_QUEUE - XP_FIRST_CAUSE] = "run_queue", [XP_PREEMPTED - XP_FIRST_CAUSE] = "preempted",
		[XP_BLOCK_IO - XP_FIRST_CAUSE] = "block_io", [XP_LOCK - XP_FIRST_CAUSE] = "lock", [XP_SLEEP - XP_FIRST_CAUSE] = "sleep",
		[XP_NETWORK - XP_FIRST_CAUSE] = "network", [XP_PAGE_FAULT - XP_FIRST_CAUSE] = "page_fault",
		[XP_STEAL - XP_FIRST_CAUSE] = "steal", [XP_OTHER - XP_FIRST_CAUSE] = "other",
		[XP_THROTTLED - XP_FIRST_CAUSE] = "throttled", [XP_STOPPED - XP_FIRST_CAUSE] = "stopped",
	};
	int64_t ran = counts->total;

	for (int i = 0; i < JUMP_CAUSES; i++)
		ran -= counts->cause_total[i];
	printf(" on_cpu_ns %" PRId64 " on_cpu_longest_ns %" PRIu64 " on_cpu_unknown %" PRIu64 " on_cpu_unknown_ns %" PRIu64 " on_cpu_beyond_ns %" PRIu64,
	       ran > 0 ? ran : 0, counts->longest_on_cpu, counts->unknown, counts->unknown_total, counts->beyond);
	for (int i = 0; i < JUMP_CAUSES; i++)
		printf(" %s_ns %" PRIu64, causes[i], counts->cause_total[i]);
	printf(" untold %" PRIu64 " untold_ns %" PRIu64, counts->untold, counts->untold_total);
}

static void print_figures(const struct remote *remote, const struct wished_function *functions, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		struct call_counts counts;

		if (functions[i].reason[0])
			continue;
		shared__count(remote->shared, &remote->layout, i, &counts);
		printf("%s calls %" PRIu64 " total_ns %" PRIu64 " longest_ns %" PRIu64 " abandoned %" PRIu64 " open %" PRIu64 " lost %" PRIu64,
		       functions[i].name, counts.timed, counts.total,
		       counts.longest, counts.abandoned, counts.open, counts.lost);
		if (remote->clocks_bytes)
			print_on_cpu(&counts);
		printf("\n");
	}
	printf("unmatched %" PRIu64 " backwards %" PRIu64 "\n", remote->shared->unmatched, remote->shared->backwards);
	fflush(stdout);
}

static void note_passed_over(const struct remote *remote, struct wished_function *functions)
{
	for (size_t i = 0; i < remote->image.nr; i++)
		if (remote->image.patches[i].is_left)
			snprintf(functions[remote->image.patches[i].function].reason, sizeof(functions->reason),
				 "Its code in the process is not that of the file.");
}

static int measure(struct remote *remote, struct wished_function *functions, uint32_t nr)
{
	struct error error = { 0 };
	char line[16];
	int err;

	if (remote__attach(remote, &(struct shared_layout){ .functions = nr, .shards = shards(), .sets = SETS }, &error))
		return fail(&error);
	if (remote__begin(remote, &error)) {
		remote__detach(remote, &(struct error){ 0 });
		return fail(&error);
	}
	note_passed_over(remote, functions);
	for (uint32_t i = 0; i < nr; i++)
		if (functions[i].reason[0])
			printf("refused %s: %s\n", functions[i].name, functions[i].reason);
	if (remote->without_clocks.code)
		printf("no times on CPUs: %s\n", remote->without_clocks.message);
	printf("on %.3f ms\n", remote->longest_ns / 1e6);
	fflush(stdout);
	remote->longest_ns = 0;
	while (fgets(line, sizeof(line), stdin))
		print_figures(remote, functions, nr);
	err = remote__detach(remote, &error);
	print_figures(remote, functions, nr);
	printf("off %.3f ms\n", remote->longest_ns / 1e6);
	free_children(remote);
	return err ? fail(&error) : 0;
}

int main(int argc, char **argv)
{
	struct wished_function *functions;
	struct thread_clocks clocks = { .file = -1 };
	struct error error = { 0 };
	struct remote remote;
	bool only_wall = false;
	uint32_t nr;
	int status;

	if (argc > 3 && !strcmp(argv[1], "--patience")) {
		stopped__patience_ns = strtoul(argv[2], NULL, 10) * 1000000;
		argc -= 2;
		argv += 2;
	}
	if (argc > 1 && !strcmp(argv[1], "--wall")) {
		only_wall = true;
		argc--;
		argv++;
	}
	nr = argc - 3;
	if (argc == 3 && !strcmp(argv[1], "--clean"))
		return clean(atoi(argv[2]));
	if (argc < 4 || atoi(argv[1]) <= 0 || argc - 3 > MOST_FUNCTIONS) {
		fprintf(stderr, "usage: kview-jump [--patience MS] [--wall] PID BINARY FUNCTION...\n       kview-jump --clean PID\n");
		return 2;
	}
	take_signals();
	functions = calloc(nr, sizeof(*functions));
	if (!functions)
		return 1;
	for (uint32_t i = 0; i < nr; i++)
		functions[i].name = argv[i + 3];
	if (remote__prepare(&remote, atoi(argv[1]), argv[2], functions, nr, NULL, &error))
		status = fail(&error);
	else {
		if (!only_wall && !thread_clocks__check_processor(&remote.without_clocks) &&
		    !thread_clocks__open(&clocks, 0, &remote.without_clocks))
			remote.clocks = &clocks;
		status = measure(&remote, functions, nr);
	}
	remote__free(&remote);
	thread_clocks__close(&clocks);
	free(functions);
	return status;
}
