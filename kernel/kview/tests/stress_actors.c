// SPDX-License-Identifier: GPL-2.0
/* Who takes part in the stress mix. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>

#include "cgroups.h"
#include "harness.h"
#include "stress.h"

/* ---- processes that do something, and end now and then ---- */

static void *one_thread(void *n)
{
	reads((long)n);
	return NULL;
}

static void threads(long n)
{
	pthread_t t[3];
	size_t i, started = 0;

	for (i = 0; i < ARRAY_SIZE(t); i++, started++)
		if (pthread_create(&t[i], NULL, one_thread, (void *)n))
			break;
	for (i = 0; i < started; i++)
		pthread_join(t[i], NULL);
}

static void child(bool execs)
{
	pid_t pid = execs ? vfork() : fork();

	if (!pid && execs) {
		execl("/proc/self/exe", "kview-test", "--reads", "50", NULL);
		_exit(0);
	}
	if (!pid) {
		reads(100);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

/* Is moved, or has a child elsewhere. */
static void in_cgroups(struct stress *s, unsigned int *seed)
{
	pid_t pid;
	int fd;

	if (pick(seed, 2)) {
		cgroup_move(getpid(), pick(seed, 3) ? stress_a_cgroup(seed) : ROOT);
		s->done[DID_MOVED]++;
		return;
	}
	fd = open(stress_a_cgroup(seed), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	pid = fork_into(fd);
	if (!pid) {
		reads(100);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
	close(fd);
}

static void memory(void)
{
	char *m = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (m == MAP_FAILED)
		return;
	memset(m, 1, 1 << 20);
	munmap(m, 1 << 20);
}

static void migrate(unsigned int *seed)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(pick(seed, sysconf(_SC_NPROCESSORS_ONLN)), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

void stress_busy(struct stress *s, int nr, unsigned int seed)
{
	(void)nr;
	CHECK(nice(10) != -1);		/* most of the time is for those who change something */
	for (;;) {
		unsigned int r = pick(&seed, 100);

		if (r < 45)
			reads(200);
		else if (r < 50)
			in_cgroups(s, &seed);
		else if (r < 60)
			child(false);
		else if (r < 66)
			child(true);
		else if (r < 74)
			threads(100);
		else if (r < 80)
			memory();
		else if (r < 88)
			usleep(pick(&seed, 3000));
		else if (r < 90)
			_exit(0);
		else
			migrate(&seed);
	}
}

/* ---- others who trace, and patch text for it ---- */

static void sleep_some(unsigned int *seed)
{
	usleep(pick(seed, 4000));
}

/* Each of these returns whether anything was traced. */

static bool trace_functions(struct stress *s, unsigned int *seed)
{
	static const char *const funcs[] = { "vfs_read", "ksys_read", "kernel_clone", "schedule" };
	const char *func = s->nnames && pick(seed, 2) ? s->name[pick(seed, s->nnames)] :
							funcs[pick(seed, ARRAY_SIZE(funcs))];
	char line[128];

	write_file(TRACING "current_tracer", "nop");
	/*
	 * A name can be one that ftrace knows only by its address.  It says so only when
	 * the line is complete; else nothing is in the filter, and all are traced.
	 */
	snprintf(line, sizeof(line), "%s\n", func);
	if (try_write_file(TRACING "set_ftrace_filter", line))
		return false;
	write_file(TRACING "current_tracer", pick(seed, 3) ? "function" : "function_graph");
	sleep_some(seed);
	write_file(TRACING "current_tracer", "nop");
	return true;
}

void stress_somewhere(unsigned int *seed)
{
	if (!pick(seed, 4))
		cgroup_move(getpid(), pick(seed, 2) ? stress_a_cgroup(seed) : ROOT);
}

static bool trace_probes(struct stress *s, unsigned int *seed)
{
	static const char *const probes[] = {
		"p:kv_stress vfs_read", "r:kv_stress vfs_read", "p:kv_stress ksys_read+9",
		"p:kv_stress vfs_read+5", "r:kv_stress ksys_read",
	};

	char line[256];

	stress_somewhere(seed);
	/* left by one who was killed */
	try_write_file(TRACING "events/kprobes/enable", "0");
	write_file(TRACING "kprobe_events", "");
	write_file("/proc/sys/debug/kprobes-optimization", pick(seed, 4) ? "1" : "0");
	snprintf(line, sizeof(line), "%s", probes[pick(seed, ARRAY_SIZE(probes))]);
	if (s->nloads && pick(seed, 2))
		snprintf(line, sizeof(line), "p:kv_stress %s", s->load[pick(seed, s->nloads)]);
	/* not every kernel has an instruction there */
	if (try_write_file(TRACING "kprobe_events", line))
		return false;
	write_file(TRACING "events/kprobes/enable", "1");
	/* now and then until the optimiser has had its turn */
	usleep(pick(seed, 4) ? pick(seed, 4000) : 300000);
	write_file(TRACING "events/kprobes/enable", "0");
	write_file(TRACING "kprobe_events", "");
	return true;
}

static bool trace_events(unsigned int *seed)
{
	static const char *const events[] = {
		"sched/sched_switch", "sched/sched_process_fork", "raw_syscalls/sys_enter",
		"raw_syscalls/sys_exit", "sched/sched_waking",
	};
	static int prog = -1;
	char path[128];
	int link = -1;

	snprintf(path, sizeof(path), TRACING "events/%s/enable",
		 events[pick(seed, ARRAY_SIZE(events))]);
	if (prog < 0)
		prog = bpf_prog_empty(PROG_RAW_TRACEPOINT);
	/* two probes go by another way than one */
	if (pick(seed, 2))
		link = bpf_raw_tracepoint_attach("sched_process_fork", prog);
	write_file(path, "1");
	sleep_some(seed);
	if (pick(seed, 2) && link >= 0) {
		close(link);
		link = -1;
	}
	write_file(path, "0");
	if (link >= 0)
		close(link);
	return true;
}

void stress_tracer(struct stress *s, int nr, unsigned int seed)
{
	bool traced;

	for (;;) {
		if (nr == 0)
			traced = trace_functions(s, &seed);
		else if (nr == 1)
			traced = trace_probes(s, &seed);
		else
			traced = trace_events(&seed);
		s->done[DID_FUNCTIONS + nr] += traced;
		sleep_some(&seed);
	}
}

/* ---- memory: more than there is, but nothing that must be kept ---- */

/* Ends early when it is killed: so in a round memory need not run short. */
void stress_hog(struct stress *s, int nr, unsigned int seed)
{
	enum { CHUNK = 8 << 20 };
	struct sysinfo info;
	size_t n, size, off, i;
	char *m;

	(void)s;
	(void)nr;
	CHECK(nice(10) != -1);
	sysinfo(&info);
	size = info.totalram * info.mem_unit / 4 * 5;
	for (;;) {
		m = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		CHECK(m != MAP_FAILED);
		for (off = 0; off < size; off += n) {
			n = size - off < CHUNK ? size - off : CHUNK;
			for (i = 0; i < n; i += 4096)
				m[off + i] = 1;
			/* free to be reclaimed: pressure without a victim */
			CHECK(!madvise(m + off, n, MADV_FREE));
			usleep(pick(&seed, 120000));
		}
		munmap(m, size);
		try_write_file("/proc/sys/vm/compact_memory", "1");
		try_write_file("/proc/sys/vm/drop_caches", "7");	/* 4: without a message */
		usleep(pick(&seed, 500000));
	}
}
