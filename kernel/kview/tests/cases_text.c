// SPDX-License-Identifier: GPL-2.0
/*
 * Others who read kernel text to remember it, or to run it elsewhere: they must read
 * the base's, and what they write must leave a view's instructions whole.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "harness.h"
#include "modules.h"
#include "text.h"

#define N	30
#define TP	"sched_process_fork"

static struct text *before;

static void probe_on(const struct place *p)
{
	char event[256];

	snprintf(event, sizeof(event), "p:kv_text %s", p->name);
	write_file(TRACING "kprobe_events", event);
	write_file(TRACING "events/kprobes/kv_text/enable", "1");
}

static void probe_off(void)
{
	write_file(TRACING "events/kprobes/kv_text/enable", "0");
	write_file(TRACING "kprobe_events", "");
	kprobes_settled();
}

static struct place the_load(void)
{
	struct place p;

	before = text_read();
	CHECK(text_find_load(before, TP, &p));
	return p;
}

static void text_unchanged(void)
{
	text_check(before);
	free(before);
}

static void tracepoint_works(const char *probe)
{
	int i, status;

	write_file(TRACING "trace", "");
	write_file(TRACING "tracing_on", "1");
	write_file(TRACING "events/sched/" TP "/enable", "1");
	for (i = 0; i < 20; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && !status);
	}
	write_file(TRACING "events/sched/" TP "/enable", "0");
	CHECK(count_lines(TRACING "trace", TP ":", "comm=kview-test", NULL) >= 20);
	CHECK(!probe || count_lines(TRACING "trace", probe, NULL, NULL) >= 20);
}

static pid_t hog(int cpu)
{
	cpu_set_t set;
	pid_t pid;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pid = fork();
	CHECK(pid >= 0);
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sched_setaffinity(0, sizeof(set), &set);
	for (;;)
		;
}

/* Kernel threads always find a traced address space to borrow. */
static void probe_on_load(void)
{
	struct place load = the_load();
	int cpus = sysconf(_SC_NPROCESSORS_ONLN), i;
	struct kview_view *v = view();
	struct kview_set *s = tracepoint(v, TP);
	pid_t pid[8];

	for (i = 0; i < cpus && i < 8; i++) {
		pid[i] = hog(i);
		attach(v, pid[i], 0);
	}
	probe_on(&load);
	kprobe_optimised(load.addr, 3000);
	probe_off();
	for (i = 0; i < cpus && i < 8; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
	kview_view__free(v);
	kview_set__free(s);
	text_unchanged();
	tracepoint_works(NULL);
	figure("set and removed by an untraced process: not a byte of the base differs");
}

/* The traced process goes on while a probe lies at @place. */
static void forks_under_probe(const struct place *place, const char *what)
{
	struct kview_view *v = view();
	struct kview_set *s = tracepoint(v, TP);
	struct worker w = worker_start();
	bool optimised;

	attach(v, w.pid, 0);
	worker_do(&w, OP_FORKS, N);
	CHECK_EQ(hits(s, 0), N);
	probe_on(place);
	optimised = kprobe_optimised(place->addr, 1500);
	worker_do(&w, OP_FORKS, N);
	CHECK_EQ(hits(s, 0), 2 * N);
	probe_off();
	worker_do(&w, OP_FORKS, N);
	CHECK_EQ(hits(s, 0), 3 * N);
	worker_quit(&w);
	kview_view__free(v);
	kview_set__free(s);
	figure("%s%s: %d of %d; ", what, optimised ? " (optimised)" : "", 3 * N, 3 * N);
}

static void probe_under_hook(void)
{
	struct place load = the_load(), earlier;

	write_file("/proc/sys/debug/kprobes-optimization", "0");
	forks_under_probe(&load, "at the load");
	write_file("/proc/sys/debug/kprobes-optimization", "1");
	forks_under_probe(&load, "at the load, may be optimised");
	if (text_probe_before(&load, 4, &earlier))
		forks_under_probe(&earlier, "just before it");
	text_unchanged();
	tracepoint_works(NULL);
}

/* A probe that is there first, not armed and thus not seen when the view is made. */
static void probe_before_view(void)
{
	struct place load = the_load(), place;
	struct kview_view *v = view();
	struct kview_set *s;
	struct worker w = worker_start();
	char event[256];

	if (!text_probe_before(&load, 4, &place))
		place = load;
	snprintf(event, sizeof(event), "p:kv_text %s", place.name);
	write_file(TRACING "kprobe_events", event);
	write_file(TRACING "events/kprobes/kv_text/enable", "1");
	write_file(TRACING "events/kprobes/kv_text/enable", "0");
	/* else the place may still be patched, where a tracepoint is refused */
	kprobes_settled();
	s = tracepoint(v, TP);
	attach(v, w.pid, 0);
	write_file(TRACING "events/kprobes/kv_text/enable", "1");
	kprobe_optimised(place.addr, 1500);
	worker_do(&w, OP_FORKS, N);
	CHECK_EQ(hits(s, 0), N);
	probe_off();
	worker_quit(&w);
	kview_view__free(v);
	kview_set__free(s);
	text_unchanged();
	figure("enabled later: %d of %d", N, N);
}

/* The one who sets it is in the view. */
static void probe_from_inside(void)
{
	struct place load = the_load();
	struct kview_view *v = view();
	struct kview_set *s = tracepoint(v, TP);
	pid_t pid = fork();
	int status;

	CHECK(pid >= 0);
	if (!pid) {
		kview_view__attach(v, getpid(), 0);
		probe_on(&load);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && !status);
	/* everybody runs a copy of that instruction, when somebody wants the tracepoint */
	tracepoint_works("kv_text:");
	probe_off();
	kview_view__free(v);
	kview_set__free(s);
	text_unchanged();
	tracepoint_works(NULL);
	figure("probe and tracepoint saw 20 of 20; not a byte of the base differs");
}

/* Whoever switches all kprobes off, from inside a view, and lets ftrace patch it. */
static void kprobes_off(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "__x64_sys_lseek", "vfs_write", NULL);

	before = text_read();
	attach(v, a.pid, 0);
	write_file("/sys/kernel/debug/kprobes/enabled", "0");
	write_file(TRACING "set_ftrace_filter", "__x64_sys_lseek");
	worker_do(&a, OP_WRITE_FILES, 3);
	write_file("/sys/kernel/debug/kprobes/enabled", "1");
	worker_do(&a, OP_WRITE_FILES, 3);
	write_file(TRACING "set_ftrace_filter", "");
	CHECK(!kernel_log_has("ftrace failed to modify"));
	worker_quit(&a);
	kview_view__free(v);
	kview_set__free(s);
	text_unchanged();
	figure("ftrace patched what it is in, kprobes off and on");
}

/* Unloaded and loaded while they are off. */
static void kprobes_off_load(void)
{
	before = text_read();
	module_load("");
	write_file("/sys/kernel/debug/kprobes/enabled", "0");
	module_unload();
	CHECK_EQ(module_try_load(""), -EBUSY);
	write_file("/sys/kernel/debug/kprobes/enabled", "1");
	text_unchanged();
	/* what was a breakpoint must be an instruction again */
	write_file(TRACING "set_ftrace_filter", "vfs_write");
	write_file(TRACING "current_tracer", "function");
	write_file(TRACING "current_tracer", "nop");
	write_file(TRACING "set_ftrace_filter", "");
	module_load("");
	module_unload();
	figure("unloaded whole; loading is refused");
}

/* The kernel's own changes for its clock, which can come at any moment, are no corruption; the rest is named. */
static void other_clock(void)
{
	unsigned long key = symbol("__sched_clock_stable");
	struct text *after;
	char what[400];
	int32_t stable;
	size_t i;

	kernel_read(key, &stable, sizeof(stable));
	if (!stable) {
		figure("the TSC was unstable from the beginning");
		return;
	}
	before = text_read();
	CHECK_OK(module_file_load("kview_clock"));
	AWAIT((kernel_read(key, &stable, sizeof(stable)), !stable), 10000);
	text_check(before);
	after = text_read();
	for (i = 0; before->byte[i] == after->byte[i]; i++)
		CHECK(i + 1 < after->size);
	/* half of an instruction, as nobody leaves it */
	after->byte[i] = before->byte[i];
	CHECK(text_differs(before, after, what, sizeof(what)));
	CHECK(strstr(what, "(static key __sched_clock_stable)"));
	figure("told of half an instruction:%s", what);
	free(after);
	free(before);
	CHECK(!module_delete("kview_clock"));
}

#define SCRIBBLE "/sys/module/kview/parameters/scribble"

/* A stray write, by the direct mapping of memory, to 4 KiB and to 2 MiB copies. */
static void read_only(void)
{
	static const char *const huge_min[] = { "513", "1" };
	struct worker w = worker_start();
	size_t i;

	CHECK_EQ(try_write_file(SCRIBBLE, "1"), -ENODATA);
	for (i = 0; i < ARRAY_SIZE(huge_min); i++) {
		struct kview_view *v = view();
		struct kview_set *s;

		module_param_set("huge_min", huge_min[i]);
		s = functions(v, "vfs_read", "kernel_clone", NULL);
		attach(v, w.pid, 0);
		CHECK_EQ(try_write_file(SCRIBBLE, "1"), -EFAULT);
		worker_do(&w, OP_READ, N);
		CHECK_EQ(hits(s, 0), N);
		kview_view__free(v);
		kview_set__free(s);
	}
	worker_quit(&w);
	figure("refused for pages of 4 KiB and of 2 MiB");
}

const struct test_case cases_text[] = {
	{ "text-probe-on-load", probe_on_load, PLAIN, 0,
	  "a kprobe of others on what a view overrides leaves the base's text as it was" },
	{ "text-probe-under-hook", probe_under_hook, PLAIN, 0,
	  "... and the view's instruction whole: no hit is lost" },
	{ "text-probe-before-view", probe_before_view, PLAIN, 0,
	  "... when it was there before the view and is enabled later" },
	{ "text-probe-from-inside", probe_from_inside, PLAIN, 0,
	  "... when it is set from inside the view" },
	{ "kprobes-off", kprobes_off, PLAIN, 0,
	  "all kprobes off: a process in a view may still patch the text it sees" },
	{ "kprobes-off-load", kprobes_off_load, ONCE, LOAD_NOT,
	  "... and unloading leaves no breakpoint, loading is refused" },
	{ "text-other-clock", other_clock, ONCE_ALONE, LOAD_NOT,
	  "the comparison of these: what the kernel changes for its own clock is known" },
	{ "text-read-only", read_only, PLAIN, 0,
	  "copies of text cannot be written by the direct mapping, as the base's text cannot" },
	{ 0 },
};
