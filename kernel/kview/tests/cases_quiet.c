// SPDX-License-Identifier: GPL-2.0
/* What others notice of a view besides instructions: TLB flushes, borrowed address spaces. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "harness.h"

static pid_t pinned(int cpu, bool spins)
{
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pin_to(0, cpu);
	for (;;)
		if (!spins)
			usleep(20000);
}

static int flushes_seen(void)
{
	return count_lines(TRACING "per_cpu/cpu1/trace", ": do_flush_tlb_all", NULL, NULL) +
	       count_lines(TRACING "per_cpu/cpu1/trace", ": flush_tlb_func", NULL, NULL);
}

/* Flushes on a CPU where nobody traced runs, while one on another CPU does @op. */
static int flushes_of(enum op op, uint32_t flags, bool traced, bool traces_tracepoint)
{
	struct worker w = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = traces_tracepoint ? tracepoint(v, "sched_process_fork") :
						  functions(v, "vfs_read", NULL);
	int n, flushers = repeats(20, 100);

	pin_to(w.pid, 0);
	pin_to(0, 0);
	worker_do(&w, OP_READ, 10);
	if (traced)
		attach(v, w.pid, flags);
	write_file(TRACING "trace", "");
	worker_begin(&w, op, flushers);
	while (op == OP_EXECS && worker_done(&w) < flushers)
		usleep(2000);
	if (op != OP_EXECS)
		worker_wait(&w);
	usleep(100000);			/* who has ended leaves a moment later */
	n = flushes_seen();
	if (op == OP_EXECS) {
		kill(w.pid, SIGKILL);
		waitpid(w.pid, NULL, 0);
	} else {
		worker_quit(&w);
	}
	kview_view__free(v);
	kview_set__free(s);
	return n;
}

static void flushes(void)
{
	pid_t other = pinned(1, true);
	int forks, execs, events, none;

	tracer_on("do_flush_tlb_all", "flush_tlb_func");
	none = flushes_of(OP_FORKS, 0, false, false);
	forks = flushes_of(OP_FORKS, KVIEW_ATTACH_FORK, true, false);
	events = flushes_of(OP_FORKS, KVIEW_ATTACH_FORK, true, true);
	execs = flushes_of(OP_EXECS, KVIEW_ATTACH_FORK | KVIEW_ATTACH_EXEC, true, false);
	tracer_off();
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	figure("on an untraced CPU, for %d each: forks %d, with a tracepoint %d, execs %d (untraced %d)",
	       repeats(20, 100), forks, events, execs, none);
	CHECK_EQ(forks, 0);
	CHECK_EQ(events, 0);
	CHECK_EQ(execs, 0);
}

/* Two traced processes sleep; who runs their views? */
static void borrowed(void)
{
	static const char *const names[] = {
		"update_process_times", "process_one_work", "try_to_wake_up", "ktime_get",
		"kthread_should_stop", "schedule_idle", "cpuidle_select",
	};
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	struct kview_stat a, b;
	struct kview_view *v = view();
	struct kview_set *s = kview_view__add_functions(v, names, ARRAY_SIZE(names), &opts);
	pid_t pid[2] = { pinned(0, false), pinned(1, false) };
	uint64_t sum = 0;
	size_t i;

	CHECK(s);
	a = stat_now();
	attach(v, pid[0], 0);
	attach(v, pid[1], 0);
	sleep(3);
	b = stat_now();
	for (i = 0; i < kview_set__size(s); i++)
		sum += hits(s, i);
	for (i = 0; i < 2; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
	figure("hits %llu, calls by kernel threads and idle %llu", (unsigned long long)sum,
	       (unsigned long long)(b.rejected_kthread - a.rejected_kthread));
	CHECK(sum > 0);
	CHECK_EQ(b.rejected_kthread - a.rejected_kthread, 0);
	kview_view__free(v);
	kview_set__free(s);
}

static struct worker held_worker;
static struct kview_view *held_view;

static void attach_held(void)
{
	kview_attachment__free(attach(held_view, held_worker.pid, 0));
}

/* D: waits for a lock. */
static bool waits(pid_t pid)
{
	char path[32], state = 0;
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	stat = fopen(path, "re");
	CHECK(stat && fscanf(stat, "%*d (%*[^)]) %c", &state) == 1);
	fclose(stat);
	return state == 'D';
}

/* A process in the view, which leaves CPU 1 to its child as soon as there is one. */
static pid_t parent_on_1(volatile pid_t *child)
{
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pin_to(0, 1);
	for (;;) {
		while (*child)
			usleep(1000);
		pid = fork();
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (;;)
				pause();
		}
		pin_to(0, 0);
		*child = pid;
		waitpid(pid, NULL, 0);
		pin_to(0, 1);
	}
}

/*
 * A child that is about to join its parent's view waits on CPU 1, which goes on with its address
 * space, borrowed in base text; and joins on CPU 0.
 */
static void joining(void)
{
	enum { ROUNDS = 10 };
	static const char *const names[] = { "schedule_idle", "update_process_times",
					     "try_to_wake_up", "ktime_get" };
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	volatile pid_t *child = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct kview_view *v = view();
	struct kview_set *s = kview_view__add_functions(v, names, ARRAY_SIZE(names), &opts);
	struct kview_attach_stat st;
	struct kview_attachment *att;
	uint64_t before;
	struct held h;
	pid_t parent;
	int i;

	CHECK(s && child != MAP_FAILED);
	held_view = view();
	held_worker = worker_start();
	pin_to(0, 0);
	*child = -1;
	parent = parent_on_1(child);
	att = attach(v, parent, KVIEW_ATTACH_FORK);
	before = stat_now().rejected_kthread;
	for (i = 0; i < ROUNDS; i++) {
		held_begin(&h, attach_held);
		*child = 0;
		while (!*child || !waits(*child))
			usleep(1000);
		pin_to(*child, 0);
		held_end(&h);
		do {
			usleep(1000);
			CHECK_OK(kview_attachment__stat(att, &st));
		} while (st.joined < (uint32_t)i + 1);
		/* CPU 1 stops being idle */
		pin_to(0, 1);
		pin_to(0, 0);
		kill(*child, SIGKILL);
		while (!kill(*child, 0))
			usleep(1000);
	}
	kill(parent, SIGKILL);
	CHECK(waitpid(parent, NULL, 0) == parent);
	CHECK_EQ(stat_now().rejected_kthread - before, 0);
	worker_quit(&held_worker);
	kview_view__free(held_view);
	kview_view__free(v);
	kview_set__free(s);
	figure("%d children joined on another CPU than they had slept on", ROUNDS);
}

/*
 * Both where a flush interrupts nobody who has borrowed the memory, as under some hypervisors: of
 * those the guest has only the mark by which the module knows them.
 */
static void spared(void)
{
	module_param_set("spare_lazy", "1");
	borrowed();
	figure("; ");
	joining();
}

static long meminfo_kb(const char *what)
{
	FILE *f = fopen("/proc/meminfo", "re");
	char line[128];
	long kb = -1;

	CHECK(f);
	while (kb < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, what, strlen(what)))
			CHECK(sscanf(line + strlen(what), ": %ld", &kb) == 1);
	fclose(f);
	return kb;
}

/* What of the direct mapping is in small pages, which nobody but a reboot makes large again. */
static void direct_map(void)
{
	enum { ROUNDS = 20 };
	long before = meminfo_kb("DirectMap4k"), one, all, many;
	const uint64_t *addrs;
	uint32_t n = all_functions(&addrs);
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	struct kview_set *s;
	struct kview_view *v;
	int i;

	v = view();
	s = functions(v, "vfs_read", NULL);
	one = meminfo_kb("DirectMap4k");
	kview_set__free(s);
	s = kview_view__add_addresses(v, addrs, n, &opts);
	CHECK(s);
	all = meminfo_kb("DirectMap4k");
	kview_set__free(s);
	kview_view__free(v);
	for (i = 0; i < ROUNDS; i++) {
		v = view();
		s = functions(v, "vfs_read", "vfs_write", NULL);
		kview_set__free(s);
		kview_view__free(v);
		wait_nothing_left();
	}
	many = meminfo_kb("DirectMap4k");
	figure("DirectMap4k: %ld KiB before; more by %ld with one site, by %ld with all functions, "
	       "by %ld after %d more views",
	       before, one - before, all - before, many - before, ROUNDS);
}

const struct test_case cases_quiet[] = {
	{ "quiet-tlb", flushes, PLAIN, 0,
	  "forks, execs and exits in a view flush no TLB where nobody traced runs" },
	{ "quiet-borrowed", borrowed, PLAIN, 0,
	  "kernel threads and idle never run a view that they borrowed" },
	{ "quiet-joining", joining, PLAIN, 0,
	  "... nor one that a process joins while they have borrowed it" },
	{ "quiet-hypervisor", spared, PLAIN, 0,
	  "... where flushes do not interrupt who has borrowed the memory" },
	{ "direct-map", direct_map, BENCH, 0, "small pages in the direct mapping of memory" },
	{ 0 },
};
