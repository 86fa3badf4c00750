// SPDX-License-Identifier: GPL-2.0
/* Other tracers at work while a view is there: they must lose nothing. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/stat.h>

#include "harness.h"

#define N	50
#define FUNC	"__x64_sys_lseek"

/* A traceable function on the same page of text as FUNC, to be hooked. */
static const char *neighbour(void)
{
	unsigned long page = symbol(FUNC) >> 12, addr;
	static char sym[256];
	char type, line[512];
	FILE *f = symbols_open();
	struct kview_view *v = view();
	bool found = false;

	CHECK(f);
	while (!found && fgets(line, sizeof(line), f)) {
		const char *names[] = { sym };
		struct kview_set *s;

		if (sscanf(line, "%lx %c %255s", &addr, &type, sym) != 3 || addr >> 12 != page ||
		    !strcmp(sym, FUNC) || (type != 't' && type != 'T'))
			continue;
		s = kview_view__add_functions(v, names, 1, NULL);
		found = s;
		if (s)
			kview_set__free(s);
	}
	fclose(f);
	kview_view__free(v);
	CHECK(found);
	return sym;
}

static int traced(struct worker *w, const char *what)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "-%d ", w->pid);
	return count_lines(TRACING "trace", pid, what, NULL);
}

static void both_lseek(struct worker *a, struct worker *b)
{
	worker_begin(a, OP_LSEEK, N);
	worker_begin(b, OP_LSEEK, N);
	worker_wait(a);
	worker_wait(b);
}

/* ftrace on another function of a copied page; returns what A's view showed it. */
static int ftrace_beside(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, neighbour(), NULL);
	int seen;

	attach(v, a.pid, 0);
	tracer_on(FUNC);
	both_lseek(&a, &b);
	seen = traced(&a, ": " FUNC);
	CHECK_EQ(traced(&b, ": " FUNC), N);
	tracer_off();
	write_file(TRACING "trace", "");
	both_lseek(&a, &b);
	CHECK_EQ(traced(&a, ": " FUNC), 0);
	worker_quit(&a);
	worker_quit(&b);
	kview_view__free(v);
	kview_set__free(s);
	return seen;
}

static struct kview_view *drafted_view;
static struct kview_set *drafted_set;

/* All functions of the 2 MiB that FUNC is in but that one. */
static void draft(void)
{
	struct kview_set_opts opts = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	uint64_t begin = symbol(FUNC), block = begin >> 21, *addr;
	const uint64_t *all;
	uint32_t n = all_functions(&all), i, m = 0;

	addr = malloc(n * sizeof(*addr));
	CHECK(addr);
	/* the place of a hook is a few bytes behind where its function begins */
	for (i = 0; i < n; i++)
		if (all[i] >> 21 == block && (all[i] < begin || all[i] >= begin + 16))
			addr[m++] = all[i];
	drafted_set = kview_view__add_addresses(drafted_view, addr, m, &opts);
	free(addr);
}

/* ftrace comes to a function while the 2 MiB that it is in have been copied and nobody knows of that yet. */
static void drafted(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view_stat st;
	struct held held;

	drafted_view = view();
	held_begin_drafted(&held, draft);
	tracer_on(FUNC);
	held_end(&held);
	CHECK(drafted_set);
	CHECK_OK(kview_view__stat(drafted_view, &st));
	CHECK_EQ(st.regions_huge, 1);
	attach(drafted_view, a.pid, 0);
	both_lseek(&a, &b);
	CHECK_EQ(traced(&b, ": " FUNC), N);
	CHECK_EQ(traced(&a, ": " FUNC), N);
	tracer_off();
	worker_quit(&a);
	worker_quit(&b);
	figure("ftrace saw %d of %d calls in the view, with %zu places in 2 MiB", N, N, kview_set__size(drafted_set));
	kview_view__free(drafted_view);
	kview_set__free(drafted_set);
}

static void mirror(void)
{
	CHECK_EQ(ftrace_beside(), N);
	figure("ftrace saw %d of %d calls in the view; %llu writes mirrored", N, N,
	       (unsigned long long)stat_now().mirrored);
}

static void unsafe_no_mirror(void)
{
	int seen;

	module_load("unsafe_no_mirror=1");
	seen = ftrace_beside();
	if (seen == N)
		fail(__FILE__, __LINE__, "without mirroring nothing was lost: mirror proves nothing");
	check_nothing_left();
	module_unload();
	figure("without mirroring ftrace saw %d of %d calls in the view", seen, N);
}

/* ftrace on the hooked function itself. */
static void chain(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, FUNC, NULL), *t;

	attach(v, a.pid, 0);
	tracer_on(FUNC);
	both_lseek(&a, &b);
	CHECK_EQ(traced(&a, ": " FUNC), N);
	CHECK_EQ(traced(&b, ": " FUNC), N);
	CHECK_EQ(hits(s, 0), N);
	/* a hook that comes while the tracer is there already, and outlives it */
	kview_set__free(s);
	t = functions(v, FUNC, NULL);
	write_file(TRACING "trace", "");
	both_lseek(&a, &b);
	CHECK_EQ(traced(&a, ": " FUNC), N);
	tracer_off();
	both_lseek(&a, &b);
	CHECK_EQ(hits(t, 0), 2 * N);
	worker_quit(&a);
	worker_quit(&b);
	figure("ftrace %d of %d, view %d of %d", N, N, N, N);
	kview_view__free(v);
	kview_set__free(t);
}

/* A kprobe at the entry of the hooked function and one behind it. */
static void kprobes(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, "vfs_read", NULL);
	char event[128];
	int off;

	attach(v, a.pid, 0);
	/* behind the five bytes of the hook, with an endbr64 before them or not */
	for (off = 9; off >= 5; off -= 4) {
		snprintf(event, sizeof(event), "p:kv_middle vfs_read+%d", off);
		if (!try_write_file(TRACING "kprobe_events", event))
			break;
	}
	CHECK(off >= 5);
	CHECK(!system("echo 'p:kv_entry vfs_read' >> " TRACING "kprobe_events"));
	write_file(TRACING "trace", "");
	write_file(TRACING "tracing_on", "1");
	write_file(TRACING "events/kprobes/enable", "1");
	usleep(300000);		/* the optimiser rewrites them once more */
	worker_begin(&a, OP_READ, N);
	worker_begin(&b, OP_READ, N);
	worker_wait(&a);
	worker_wait(&b);
	write_file(TRACING "tracing_on", "0");	/* reading the trace is a vfs_read(), too */
	CHECK_EQ(traced(&a, "kv_middle"), N);
	CHECK_EQ(traced(&b, "kv_middle"), N);
	CHECK_EQ(traced(&a, "kv_entry"), N);
	CHECK_EQ(traced(&b, "kv_entry"), N);
	CHECK_EQ(hits(s, 0), N);
	write_file(TRACING "events/kprobes/enable", "0");
	usleep(300000);
	write_file(TRACING "kprobe_events", "");
	worker_do(&a, OP_READ, N);
	CHECK_EQ(hits(s, 0), 2 * N);
	worker_quit(&a);
	worker_quit(&b);
	figure("entry and middle, in the view and outside: %d of %d each", N, N);
	kview_view__free(v);
	kview_set__free(s);
}

/* The one who patches is itself in the view that it patches. */
static void toggle_from_inside(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, FUNC, neighbour(), NULL);

	attach(v, a.pid, 0);
	write_file(TRACING "set_ftrace_filter", FUNC);
	worker_do(&a, OP_WRITE_FILES, 5);
	worker_quit(&a);
	kview_view__free(v);
	kview_set__free(s);
}

#define QUEUED	TRACING "instances/kv_queued/"

/* The greatest depth of disabled preemption that the trace shows where @w queues changes of text. */
static int queued_depth(struct worker *w)
{
	FILE *f = fopen(QUEUED "trace", "r");
	char line[512], pid[16], flags[8];
	int most = -1, depth;
	const char *at;

	snprintf(pid, sizeof(pid), "-%d ", w->pid);
	CHECK(f);
	while (fgets(line, sizeof(line), f)) {
		at = strstr(line, "] ");
		if (!strstr(line, pid) || !strstr(line, "kv_queued:") || !at)
			continue;
		/* irqs-off, need-resched, hardirq/softirq, preempt-depth, ... */
		CHECK(sscanf(at + 2, "%7s", flags) == 1 && strlen(flags) >= 4);
		depth = flags[3] == '.' ? 0 : flags[3] - '0';
		most = depth > most ? depth : most;
	}
	fclose(f);
	return most;
}

/* Who patches text and is in no view can be preempted, as without the module. */
static void switch_preempted(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = functions(v, FUNC, NULL);
	int inside, outside;

	attach(v, a.pid, 0);
	if (try_write_file(TRACING "kprobe_events", "p:kv_queued text_poke_queue"))
		write_file(TRACING "kprobe_events", "p:kv_queued smp_text_poke_batch_add");
	CHECK_OK(mkdir(QUEUED, 0700));
	write_file(QUEUED "events/kprobes/kv_queued/enable", "1");
	write_file(TRACING "set_ftrace_filter", FUNC);
	worker_do(&a, OP_WRITE_FILES, 1);
	worker_do(&b, OP_WRITE_FILES, 1);
	inside = queued_depth(&a);
	outside = queued_depth(&b);
	write_file(QUEUED "events/kprobes/kv_queued/enable", "0");
	CHECK_OK(rmdir(QUEUED));
	write_file(TRACING "kprobe_events", "");
	write_file(TRACING "set_ftrace_filter", "");
	worker_quit(&a);
	worker_quit(&b);
	figure("preemption off to depth %d in a view, %d outside", inside, outside);
	CHECK(outside >= 0);
	CHECK_EQ(inside, outside + 1);
	kview_view__free(v);
	kview_set__free(s);
}

static void escape(void)
{
	struct worker b = worker_start();
	struct kview_stat st;

	toggle_from_inside();
	st = stat_now();
	CHECK(st.escaped > 0);
	tracer_on(FUNC);
	worker_do(&b, OP_LSEEK, N);
	CHECK_EQ(traced(&b, ": " FUNC), N);
	tracer_off();
	worker_quit(&b);
	figure("%llu writes left the view meanwhile", (unsigned long long)st.escaped);
}

/* Who begins to set a kprobe may be in a view before its instructions are copied. */
static void kprobe_workers(void)
{
	int prog = bpf_prog_empty(PROG_KPROBE), made, by_workers, fd;
	unsigned int off;

	tracer_on("arch_prepare_kprobe");
	/* not at its entry, which is ftrace's; where no instruction begins none is made */
	for (off = 5; off < 32; off++) {
		fd = bpf_kprobe_try_at(FUNC, off, prog);
		if (fd >= 0)
			close(fd);
	}
	made = count_lines(TRACING "trace", ": arch_prepare_kprobe ", NULL, NULL);
	by_workers = count_lines(TRACING "trace", ": arch_prepare_kprobe ", "kworker/", NULL);
	tracer_off();
	figure("%d of %d made by a kernel thread", by_workers, made);
	CHECK(made > 0);
	CHECK_EQ(by_workers, made);
}

static void unsafe_no_escape(void)
{
	module_load("unsafe_no_escape=1");
	toggle_from_inside();
	if (!kernel_log_has("ftrace failed to modify"))
		fail(__FILE__, __LINE__, "without escaping ftrace was content: escape proves nothing");
	figure("without escaping ftrace found bytes it did not expect");
}

const struct test_case cases_poke[] = {
	{ "mirror-drafted", drafted, ONCE, 0, "a write to the base while 2 MiB are copied" },
	{ "mirror", mirror, PLAIN, 0, "ftrace on a copied page sees every call in the view" },
	{ "unsafe-no-mirror", unsafe_no_mirror, ONCE, LOAD_NOT, "... and not, with mirroring off" },
	{ "chain", chain, PLAIN, 0, "ftrace on the hooked function loses nothing" },
	{ "kprobes", kprobes, PLAIN, 0, "kprobes on the hooked function lose nothing" },
	{ "escape", escape, PLAIN, 0, "a process in a view may patch the text it sees" },
	{ "switch-preempted", switch_preempted, PLAIN, 0,
	  "who switches ftrace outside of views can be preempted meanwhile" },
	{ "kprobe-workers", kprobe_workers, PLAIN, 0,
	  "instructions are copied for a kprobe by who can be in no view" },
	{ "unsafe-no-escape", unsafe_no_escape, ALONE, LOAD_NOT | DMESG_EXPECTED,
	  "... and not, with escaping off" },
	{ 0 },
};
