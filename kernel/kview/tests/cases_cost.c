// SPDX-License-Identifier: GPL-2.0
/*
 * Instructions per 1-byte read of /dev/zero.  With one emulated CPU and icount
 * the time stamp counter counts instructions, so a difference of one shows.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <x86intrin.h>

#include "cost.h"
#include "harness.h"

/* The function on every read()'s way that is hooked, and some more of them. */
#define FUNC "vfs_read"
static const char *const on_the_way[] = {
	FUNC, "ksys_read", "__x64_sys_read", "rw_verify_area", "security_file_permission",
	"apparmor_file_permission", "aa_file_perm", "read_zero", "__fdget_pos", "fdget_pos",
	"x64_sys_call", "__fsnotify_parent", "fput", "iov_iter_zero",
};

/* The same in a child that is in the view, and in another one, unless @other is NULL: @stays, or was. */
static double measure_in_both(struct kview_view *v, struct kview_view *other, bool stays)
{
	double *cost = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct kview_attachment *a, *second;
	int go[2];
	pid_t pid;
	char b;

	CHECK(cost != MAP_FAILED && !pipe(go));
	pid = fork();
	if (!pid) {
		CHECK(read(go[0], &b, 1) == 1);
		*cost = cost_of_read();
		_exit(0);
	}
	a = attach(v, pid, 0);
	second = other ? attach(other, pid, 0) : NULL;
	if (!stays)
		kview_attachment__free(second);
	CHECK(write(go[1], "", 1) == 1);
	waitpid(pid, NULL, 0);
	if (stays)
		kview_attachment__free(second);
	kview_attachment__free(a);
	close(go[0]);
	close(go[1]);
	return *cost;
}

static double measure_in(struct kview_view *v)
{
	return measure_in_both(v, NULL, true);
}

static double base;

/* Not one instruction more, to within the timer's part in the best batch. */
static void report_zero(const char *name, double cost)
{
	result((long)(cost + 0.5) == (long)(base + 0.5), name, "%.0f (%+.0f)", cost, cost - base);
}

static void report(const char *name, double cost, double at_most)
{
	result(!at_most || cost - base <= at_most, name, "%.0f (%+.0f)", cost, cost - base);
}

static struct kview_set *sites_on_the_way(struct kview_view *v)
{
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	struct kview_set *s = kview_view__add_functions(v, on_the_way, ARRAY_SIZE(on_the_way),
							&opts);

	CHECK(s);
	return s;
}

/* Functions that no read() passes. */
static struct kview_set *sites_elsewhere(struct kview_view *v, size_t n)
{
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	FILE *f = fopen(TRACING "available_filter_functions", "r");
	static const char *names[2000];
	char line[512], sym[256];
	struct kview_set *s;
	size_t m = 0;

	CHECK(f);
	while (m < n && fgets(line, sizeof(line), f))
		if (sscanf(line, "%255s", sym) == 1 && !strchr(line, '[') &&
		    (!strncmp(sym, "acpi_", 5) || !strncmp(sym, "pci", 3) ||
		     !strncmp(sym, "xhci", 4) || !strncmp(sym, "usb", 3)))
			names[m++] = strdup(sym);
	fclose(f);
	CHECK_EQ(m, n);
	s = kview_view__add_functions(v, names, n, &opts);
	CHECK(s);
	return s;
}

static struct kview_set *all_sites(struct kview_view *v)
{
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	unsigned long start = symbol("_text"), end = symbol("_etext"), addr;
	static uint64_t addrs[100000];
	char type, line[512];
	struct kview_set *s;
	size_t n = 0;
	FILE *f = symbols_open();

	CHECK(f);
	while (n < ARRAY_SIZE(addrs) && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx %c", &addr, &type) == 2 && addr >= start && addr < end &&
		    (type == 't' || type == 'T'))
			addrs[n++] = addr;
	fclose(f);
	s = kview_view__add_addresses(v, addrs, n, &opts);
	CHECK(s);
	return s;
}

/* What others pay while one process is traced. */
static void untraced(struct worker *a)
{
	struct kview_view *v = view();
	struct kview_set *s = functions(v, FUNC, NULL), *t;
	struct kview_attachment *att;
	char name[64];

	report_zero("cost-untraced-view", cost_of_read());
	att = attach(v, a->pid, 0);
	CHECK_OK(kview_set__add_prog(s, bpf_prog_count(PROG_KPROBE, bpf_map(), 0), 0, NULL));
	report_zero("cost-untraced-1", cost_of_read());
	t = sites_on_the_way(v);
	snprintf(name, sizeof(name), "cost-untraced-%zu", kview_set__size(t));
	report_zero(name, cost_of_read());
	kview_set__free(t);
	t = sites_elsewhere(v, 1000);
	report_zero("cost-untraced-1000", cost_of_read());
	kview_set__free(t);
	t = all_sites(v);
	snprintf(name, sizeof(name), "cost-untraced-%zu", kview_set__size(t));
	report_zero(name, cost_of_read());
	kview_set__free(t);
	t = tracepoint(v, "sched_switch");
	report_zero("cost-untraced-tracepoint", cost_of_read());
	kview_set__free(t);
	t = tracepoint(v, "sys_enter");
	report_zero("cost-untraced-syscalls", cost_of_read());
	kview_set__free(t);
	kview_attachment__free(att);
	kview_set__free(s);
	kview_view__free(v);
	report_zero("cost-untraced-detached", cost_of_read());
}

/* What the traced process pays. */
static void traced(void)
{
	struct kview_view *v = view();
	struct kview_set *s, *t;
	const char *event = "syscalls:sys_enter_read", *func = FUNC;
	int empty = bpf_prog_empty(PROG_KPROBE);
	char name[64];

	s = functions(v, "do_exit", NULL);
	report_zero("cost-traced-hook-elsewhere", measure_in(v));
	kview_set__free(s);
	s = functions(v, FUNC, NULL);
	report("cost-traced-hook", measure_in(v), 0);
	CHECK_OK(kview_set__add_prog(s, empty, 0, NULL));
	report("cost-traced-empty", measure_in(v), 100);
	t = sites_elsewhere(v, 1000);
	report("cost-traced-empty-of-1001", measure_in(v), 100);
	kview_set__free(t);
	t = kview_view__add_returns(v, &func, 1, NULL);
	CHECK(t);
	report("cost-traced-empty-and-return", measure_in(v), 0);
	CHECK_OK(kview_set__add_prog(t, empty, 0, NULL));
	report("cost-traced-empty-twice", measure_in(v), 0);
	kview_set__free(t);
	CHECK_OK(kview_set__del_prog(s, empty));
	CHECK_OK(kview_set__add_prog(s, bpf_prog_count(PROG_KPROBE, bpf_map(), 0), 0, NULL));
	report("cost-traced-count", measure_in(v), 0);
	kview_set__free(s);
	s = tracepoint(v, "sys_enter");
	CHECK_OK(kview_set__add_prog(s, bpf_prog_empty(PROG_RAW_TRACEPOINT), 0, NULL));
	report("cost-traced-sys-enter", measure_in(v), 0);
	kview_set__free(s);
	s = kview_view__add_events(v, &event, 1, NULL);
	CHECK(s);
	CHECK_OK(kview_set__add_prog(s, bpf_prog_empty(PROG_TRACEPOINT), 0, NULL));
	report("cost-traced-event-read", measure_in(v), 0);
	kview_set__free(s);
	s = sites_on_the_way(v);
	CHECK_OK(kview_set__add_prog(s, empty, 0, NULL));
	snprintf(name, sizeof(name), "cost-traced-empty-x%zu", kview_set__size(s));
	report(name, measure_in(v), 0);
	kview_set__free(s);
	kview_view__free(v);
}

/* What a process pays that two clients trace, and who is not traced. */
static void two_clients(struct worker *a)
{
	struct kview_view *v = view(), *w = view(), *x = view();
	struct kview_set *s = functions(v, FUNC, NULL), *t = functions(w, "do_exit", NULL);
	int empty = bpf_prog_empty(PROG_KPROBE);

	attach(v, a->pid, 0);
	attach(w, a->pid, 0);
	report_zero("cost-untraced-two-clients", cost_of_read());
	report_zero("cost-traced-two-clients-elsewhere", measure_in_both(w, x, true));
	CHECK_OK(kview_set__add_prog(s, empty, 0, NULL));
	report("cost-traced-two-clients-one-hooks", measure_in_both(v, w, true), 0);
	report("cost-traced-two-clients-one-left", measure_in_both(v, w, false), 100);
	kview_set__free(t);
	t = functions(w, FUNC, NULL);
	CHECK_OK(kview_set__add_prog(t, empty, 0, NULL));
	report("cost-traced-two-clients-both-hook", measure_in_both(v, w, true), 0);
	kview_set__free(s);
	kview_set__free(t);
	kview_view__free(v);
	kview_view__free(w);
	kview_view__free(x);
}

/* What others pay while one process is traced behind the filter before eBPF. */
static void filtered(struct worker *a)
{
	struct kview_set_opts opts = { .flags = KVIEW_SET_FILTER | KVIEW_SET_SKIP_UNUSABLE };
	int empty = bpf_prog_empty(PROG_KPROBE);
	struct kview_view *v = view();
	const char *one = FUNC;
	struct kview_set *s;
	char name[64];

	s = kview_view__add_functions(v, &one, 1, &opts);
	CHECK(s);
	CHECK_OK(kview_set__add_prog(s, empty, 0, NULL));
	report("cost-pre-ebpf-traced", measure_in(v), 0);
	attach(v, a->pid, 0);
	report("cost-pre-ebpf", cost_of_read(), 7);
	kview_set__free(s);
	s = kview_view__add_functions(v, on_the_way, ARRAY_SIZE(on_the_way), &opts);
	CHECK(s);
	CHECK_OK(kview_set__add_prog(s, empty, 0, NULL));
	snprintf(name, sizeof(name), "cost-pre-ebpf-x%zu", kview_set__size(s));
	report(name, cost_of_read(), 7 * kview_set__size(s));
	kview_set__free(s);
	kview_view__free(v);
	report_zero("cost-pre-ebpf-removed", cost_of_read());
}

#define CGROUP	"/sys/fs/cgroup/"

/* Moves a process to and fro between two cgroups; for one move. */
static double measure_move(struct worker *w)
{
	int fd[2] = { open(CGROUP "x/cgroup.procs", O_WRONLY), open(CGROUP "y/cgroup.procs", O_WRONLY) };
	unsigned long long best = ~0ULL, t;
	char pid[16];
	int i;

	CHECK(fd[0] >= 0 && fd[1] >= 0);
	snprintf(pid, sizeof(pid), "%d", w->pid);
	for (i = 0; i < 100; i++) {
		t = __rdtsc();
		CHECK(write(fd[0], pid, strlen(pid)) > 0);
		CHECK(write(fd[1], pid, strlen(pid)) > 0);
		t = __rdtsc() - t;
		if (t < best)
			best = t;
	}
	close(fd[0]);
	close(fd[1]);
	return best / 2.0;
}

/* What others pay while a cgroup is traced: for a read, for being moved. */
static void cgroup(struct worker *a)
{
	static const char *const path[] = { CGROUP "traced", CGROUP "x", CGROUP "y" };
	struct worker b = worker_start();
	struct kview_attachment *att;
	struct kview_view *v = view();
	int hooked = count_lines(TRACING "enabled_functions", NULL, NULL, NULL), more;
	double move_base, moved;
	char pid[16];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(path); i++)
		CHECK(!mkdir(path[i], 0755));
	snprintf(pid, sizeof(pid), "%d", a->pid);
	write_file(CGROUP "traced/cgroup.procs", pid);
	functions(v, FUNC, "kernel_clone", NULL);
	move_base = measure_move(&b);
	att = kview_view__attach_cgroup(v, path[0]);
	CHECK(att);
	report_zero("cost-untraced-cgroup", cost_of_read());
	moved = measure_move(&b);
	result(true, "cost-untraced-cgroup-move", "%.0f (%+.0f)", moved, moved - move_base);
	/*
	 * All else is as it was: a fork takes half a million instructions, some hundred
	 * more or less, which would hide a hook.
	 */
	more = count_lines(TRACING "enabled_functions", NULL, NULL, NULL) - hooked;
	result(more == 1 && count_lines(TRACING "enabled_functions", "cgroup_attach_permissions",
					NULL, NULL) == 1,
	       "cost-untraced-cgroup-hooks", "%d more in the base", more);
	kview_attachment__free(att);
	CHECK_EQ(count_lines(TRACING "enabled_functions", NULL, NULL, NULL), hooked);
	kview_view__free(v);
	write_file(CGROUP "cgroup.procs", pid);
	worker_quit(&b);
	for (i = 0; i < ARRAY_SIZE(path); i++)
		while (rmdir(path[i]))
			usleep(10000);
}

/* What everybody pays for the filters in use today. */
static void filters(void)
{
	int map = bpf_map(), fds[ARRAY_SIZE(on_the_way)];
	size_t i, n = 0;
	char name[64];

	fds[0] = bpf_kprobe_attach(FUNC, bpf_prog_count(PROG_KPROBE, map, 1));
	report("cost-in-ebpf-kprobe", cost_of_read(), 0);
	close(fds[0]);
	fds[0] = bpf_kprobe_attach(FUNC, bpf_prog_count(PROG_KPROBE, map, 0));
	report("cost-post-ebpf-kprobe", cost_of_read(), 0);
	close(fds[0]);
	fds[0] = bpf_raw_tracepoint_attach("sys_enter", bpf_prog_count(PROG_RAW_TRACEPOINT, map, 1));
	report("cost-in-ebpf-sys-enter", cost_of_read(), 0);
	close(fds[0]);
	for (i = 0; i < ARRAY_SIZE(on_the_way); i++) {
		fds[n] = bpf_kprobe_try(on_the_way[i], bpf_prog_count(PROG_KPROBE, map, 1));
		n += fds[n] >= 0;	/* not every kernel has each as a function */
	}
	CHECK(n >= 10);
	snprintf(name, sizeof(name), "cost-in-ebpf-kprobe-x%zu", n);
	report(name, cost_of_read(), 0);
	while (n)
		close(fds[--n]);
}

static void cost(void)
{
	struct worker a;

	cost_of_read();
	base = cost_of_read();
	result(true, "cost-base", "%.0f", base);
	module_load("");
	report_zero("cost-loaded", cost_of_read());
	a = worker_start();
	untraced(&a);
	cost_recorded(&a, base);
	traced();
	two_clients(&a);
	filtered(&a);
	cgroup(&a);
	worker_quit(&a);
	check_nothing_left();
	module_unload();
	report_zero("cost-unloaded", cost_of_read());
	filters();
	report_zero("cost-end", cost_of_read());
}

const struct test_case cases_cost[] = {
	{ "cost", cost, COST, LOAD_NOT, "instructions per read, case by case" },
	{ 0 },
};
