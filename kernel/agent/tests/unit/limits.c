// SPDX-License-Identifier: GPL-2.0
/*
 * What a recording may take of the kernel's memory: its maps, and the states of the process's
 * threads.  Threads beyond that are lost, and counted so, until others have ended.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/error.h"

#define THREADS	100
#define BYTES	(3ULL << 19)

#if defined(__x86_64__)

#include "called.h"
#include "check.h"
#include "child.h"
#include "mechanism/trap/xprobe_state.h"

static pthread_barrier_t all_called;

static void *call_together(void *unused)
{
	t_called();
	pthread_barrier_wait(&all_called);
	return NULL;
}

static void *call_alone(void *unused)
{
	t_called();
	return NULL;
}

static void run(const struct own_child *child, int how)
{
	pthread_t threads[THREADS];
	int i;

	pthread_barrier_init(&all_called, NULL, THREADS);
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, call_together, NULL);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	child__wait(child);
	for (i = 0; i < THREADS; i++) {
		pthread_create(&threads[i], NULL, call_alone, NULL);
		pthread_join(threads[i], NULL);
	}
}

/* A line of a descriptor's information, for maps of a type; their sum. */
static unsigned long long maps__sum(const char *what, int type)
{
	DIR *folder = opendir("/proc/self/fdinfo");
	unsigned long long sum = 0;
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		unsigned long long value = 0;
		char path[300], line[256];
		int map_type = -1;
		FILE *file;

		snprintf(path, sizeof(path), "/proc/self/fdinfo/%s", entry->d_name);
		file = fopen(path, "r");
		while (file && fgets(line, sizeof(line), file)) {
			sscanf(line, "map_type: %d", &map_type);
			if (!strncmp(line, what, strlen(what)))
				value = strtoull(line + strlen(what), NULL, 10);
		}
		if (file)
			fclose(file);
		if (map_type >= 0 && (type < 0 || map_type == type))
			sum += value;
	}
	if (folder)
		closedir(folder);
	return sum;
}

static void refuses(size_t functions, uint64_t bytes)
{
	struct xprobe_opts opts = { .nr_functions = functions, .max_bytes = bytes, .nr_places = 2 };
	struct error error = { 0 };
	struct xprobe *xprobe = xprobe__new(&opts, &error);

	check(!xprobe && error.code == ERR_TOO_MANY && strstr(error.message, "choose fewer functions"),
	      error.message, functions);
	xprobe__free(xprobe);
}

static void fits(size_t functions, uint64_t bytes)
{
	struct xprobe_opts opts = { .nr_functions = functions, .max_bytes = bytes, .nr_places = 2 };
	struct error error = { 0 };
	struct xprobe *xprobe = xprobe__new(&opts, &error);
	unsigned long long taken = maps__sum("memlock:", -1);

	check(xprobe && taken && taken <= bytes, "the kernel's own count of the maps' bytes", taken);
	xprobe__free(xprobe);
}

static void counts_threads(void)
{
	struct xprobe_function function = called__in("/proc/self/exe");
	struct xprobe_opts opts = { .nr_functions = 1, .max_bytes = BYTES };
	struct error error = { 0 };
	struct figures counts;
	struct xprobe *xprobe;
	struct xp_calls calls;
	uint64_t most;
	struct own_child child = child__start(run, 0);

	xprobe = xprobe__new(&opts, &error);
	if (!xprobe || xprobe__attach(xprobe, child.pid, &function, 1, &error)) {
		printf("not ok limits: %s\n", error.message);
		failed = 1;
		goto out;
	}
	counts = xprobe__figures(xprobe);
	/* BPF_MAP_TYPE_TASK_STORAGE; the kernel takes the next power of two. */
	for (most = 1; most < maps__sum("value_size:", 29); most *= 2)
		;
	most = BYTES / most;
	child__go_on(&child);
	calls = figures__calls(&counts, 0);
	check(calls.calls == THREADS, "each call is counted", calls.calls);
	check(most < THREADS && calls.lost[XP_LOST_NO_MEMORY] <= THREADS - most &&
	      calls.lost[XP_LOST_NO_MEMORY] >= THREADS - most - sysconf(_SC_NPROCESSORS_CONF),
	      "threads beyond the limit are lost", calls.lost[XP_LOST_NO_MEMORY]);
	child__go_on(&child);
	check(figures__calls(&counts, 0).lost[XP_LOST_NO_MEMORY] == calls.lost[XP_LOST_NO_MEMORY],
	      "none of those that come once others have ended", figures__calls(&counts, 0).calls);
out:
	xprobe__free(xprobe);
	child__end(&child);
}

/* What stands for one that is not made has a descriptor, too, but is none of the kernel's tables. */
static bool is_made(const struct bpf_map *map)
{
	struct bpf_map_info info = { 0 };
	__u32 length = sizeof(info);

	return !bpf_map_get_info_by_fd(bpf_map__fd(map), &info, &length);
}

/* Of the kernel's memory, that nobody uses. */
static void makes_no_tables_of_waits(void)
{
	struct xprobe_opts opts = { .nr_functions = 1 };
	struct error error = { 0 };
	struct xprobe *xprobe = xprobe__new(&opts, &error);

	check(xprobe && is_made(xprobe->skel->maps.calls) && !is_made(xprobe->skel->maps.waits) &&
	      !is_made(xprobe->skel->maps.other_waits) && !is_made(xprobe->skel->maps.wait_stacks) &&
	      !is_made(xprobe->skel->maps.read_stacks) && !is_made(xprobe->skel->maps.wait_files) &&
	      !is_made(xprobe->skel->maps.read_files),
	      "no tables of waits where they are not asked for", 0);
	xprobe__free(xprobe);
}

int main(void)
{
	makes_no_tables_of_waits();
	refuses(100, 2 * BYTES);
	fits(100, 4 * BYTES);
	fits(100, 8 * BYTES);
	fits(1, BYTES);
	counts_threads();
	return failed;
}

#else

int main(void)
{
	puts("ok this machine's functions are described nowhere");
	return 0;
}

#endif
