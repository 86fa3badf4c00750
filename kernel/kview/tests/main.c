// SPDX-License-Identifier: GPL-2.0
/*
 * kview-test: runs in the guest.
 *
 *	kview-test --list		NAME KIND WHAT, a line a case
 *	kview-test [--long] CASE...	"ok NAME FIGURE" or "FAIL NAME FIGURE", a line a case
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "harness.h"

static const struct test_case *const all[] = {
	cases_basic, cases_life, cases_bad, cases_fail, cases_come, cases_poke, cases_bulk, cases_trace,
	cases_return, cases_event, cases_cgroup, cases_filter, cases_flow, cases_ctl, cases_race,
	cases_joint, cases_joint_ends, cases_text, cases_quiet, cases_wait, cases_instant,
	cases_contract, cases_items, cases_cost, cases_flow_cost, cases_latency, cases_hard,
	cases_module, cases_livepatch, cases_production, cases_vfork, cases_order, cases_rest, cases_stress,
};

static const char *const kinds[] = {
	"plain", "once", "rare", "cost", "alone", "once-alone", "once-longest", "long", "bench", "tlb",
};
static const char *current_case;
static char figures[1024];
static int kmsg;
static bool long_form;

int repeats(int seldom, int often)
{
	return long_form ? often : seldom;
}

void figure(const char *fmt, ...)
{
	size_t used = strlen(figures);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(figures + used, sizeof(figures) - used, fmt, ap);
	va_end(ap);
}

void result(bool ok, const char *name, const char *fmt, ...)
{
	va_list ap;

	printf("%s %s ", ok ? "ok" : "FAIL", name);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

void fail(const char *file, int line, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	result(false, current_case, "%s:%d: %s", file, line, text);
	_exit(1);
}

/* What the kernel may always say. */
static bool dmesg_harmless(const char *line)
{
	static const char *const words[] = {
		"taints kernel", "tainting kernel", "random: crng",
		"hrtimer: interrupt took", "clocksource:", "TSC unstable", "TSC found unstable",
		"sched_clock: Marking unstable", "kprobe jump-optimization is",
		"Kprobes globally", "Dynamic Preempt:", "livepatch: ",
		/* the next line says what it is */
		"cut here",
		/* an offset beyond the end of a function, in the next one's padding */
		"trace_kprobe: Could not probe notrace function",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(line, words[i]))
			return true;
	return false;
}

/* What the kernel logged since the last call and what no test should cause. */
static bool dmesg_bad(unsigned int flags, char *line, size_t size)
{
	static const char *const words[] = {
		"BUG", "WARNING", "Oops", "general protection", "Call Trace", "stall",
		"lockup", "use-after-free", "Bad page", "leak", "ftrace failed",
	};
	bool bad = false, found;
	char buf[2048], *text;
	ssize_t n;
	size_t i;

	while ((n = read(kmsg, buf, sizeof(buf) - 1)) > 0 || (n < 0 && errno == EPIPE)) {
		if (n < 0)
			continue;
		buf[n] = 0;
		text = strchr(buf, ';');
		found = flags & DMESG_SILENT && text && !dmesg_harmless(text);
		for (i = 0; i < ARRAY_SIZE(words); i++)
			found |= text && strstr(text, words[i]) &&
				 !(flags & DMESG_ALLOC && !strcmp(words[i], "Call Trace"));
		if (!found || bad)
			continue;
		snprintf(line, size, "%.*s", (int)strcspn(text + 1, "\n"), text + 1);
		bad = true;
	}
	return bad;
}

static void run_child(const struct test_case *c)
{
	current_case = c->name;
	signal(SIGPIPE, SIG_IGN);
	if (c->kind != LONG && c->kind != BENCH && c->kind != TLB)
		alarm(debug_kernel() ? 3600 : 2600);
	if (!(c->flags & LOAD_NOT))
		module_load("");
	c->run();
	if (!(c->flags & LOAD_NOT))
		check_nothing_left();
	if (!(c->flags & LOAD_NOT))
		module_unload();
	if (figures[0] || c->kind != COST)
		result(true, c->name, "%s", figures);
	fflush(stdout);
	_exit(0);
}

/* What the guest's CPUs have done since it was booted, other than to idle or to wait for a disk; in seconds. */
static double busy_s(void)
{
	unsigned long long user, nice, system, idle, iowait, irq, softirq;
	FILE *f = fopen("/proc/stat", "r");
	int n = f ? fscanf(f, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle,
			   &iowait, &irq, &softirq) : 0;

	if (f)
		fclose(f);
	return n == 7 ? (double)(user + nice + system + irq + softirq) / sysconf(_SC_CLK_TCK) : 0;
}

static bool run_case(const struct test_case *c)
{
	char line[512] = "";
	int status, i;
	pid_t pid;

	dmesg_bad(0, line, sizeof(line));
	fflush(stdout);
	pid = fork();
	if (!pid)
		run_child(c);
	waitpid(pid, &status, 0);
	if (!WIFEXITED(status))
		result(false, c->name, "killed by signal %d", WTERMSIG(status));
	/* so that the next can load it, once this one's workers are gone */
	for (i = 0; status && i < 100; i++) {
		if (!syscall(SYS_delete_module, "kview", O_NONBLOCK) || errno == ENOENT)
			break;
		usleep(20000);
	}
	if (!(c->flags & DMESG_EXPECTED) && dmesg_bad(c->flags, line, sizeof(line))) {
		result(false, c->name, "kernel log: %s", line);
		return false;
	}
	return status == 0;
}

/* With what it took, of which a busy host makes more. */
static bool run(const struct test_case *c)
{
	double busy = busy_s();
	uint64_t begin = now_ns();
	bool ok = run_case(c);

	printf("# %s took %.2f s, CPUs were busy for %.2f s\n", c->name, (now_ns() - begin) / 1e9, busy_s() - busy);
	fflush(stdout);
	return ok;
}

int main(int argc, char **argv)
{
	const struct test_case *c;
	bool ok = true;
	size_t g;
	int i;

	if (argc == 4 && !strcmp(argv[1], "--worker"))
		worker_main(atoi(argv[2]), atol(argv[3]));
	if (argc == 3 && !strcmp(argv[1], "--execs"))
		worker_execs(atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "--reads")) {
		reads(atol(argv[2]));
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "--list")) {
		for (g = 0; g < ARRAY_SIZE(all); g++)
			for (c = all[g]; c->name; c++)
				printf("%-24s %-6s %s\n", c->name, kinds[c->kind], c->what);
		return 0;
	}
	kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	leaks_forget();
	long_form = argc > 1 && !strcmp(argv[1], "--long");
	for (i = 1 + long_form; i < argc; i++) {
		bool found = false;

		for (g = 0; g < ARRAY_SIZE(all); g++)
			for (c = all[g]; c->name; c++)
				if (!strcmp(c->name, argv[i])) {
					found = true;
					ok &= run(c);
				}
		if (!found) {
			result(false, argv[i], "no such case");
			ok = false;
		}
	}
	ok &= !leaks_found();
	return ok ? 0 : 1;
}
