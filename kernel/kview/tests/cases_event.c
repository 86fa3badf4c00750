// SPDX-License-Identifier: GPL-2.0
/* Trace events: programs of the type tracepoint, and the records they get. */
#include <stdlib.h>
#include <sys/wait.h>

#include "harness.h"

#define FORK	"sched:sched_process_fork"
#define EVENTS	TRACING "events/"
#define N	25

/* Where the event's record has a field, by its file "format". */
static int field(const char *event, const char *name)
{
	char path[256], line[256], want[64];
	int offset = -1;
	FILE *f;

	snprintf(path, sizeof(path), EVENTS "%s/format", event);
	snprintf(want, sizeof(want), " %s;", name);
	f = fopen(path, "r");
	CHECK(f);
	while (fgets(line, sizeof(line), f))
		if (strstr(line, want) && strstr(line, "offset:"))
			offset = atoi(strstr(line, "offset:") + 7);
	fclose(f);
	CHECK(offset >= 8);
	return offset;
}

static struct kview_set *events(struct kview_view *v, const char *first, const char *second,
				const char *third)
{
	const char *names[] = { first, second, third };
	struct kview_set *s = kview_view__add_events(v, names, third ? 3 : second ? 2 : 1, NULL);

	if (!s)
		fail(__FILE__, __LINE__, "add_events %s: %s", first, strerror(errno));
	return s;
}

/* A tracepoint's event, while others have programs and probes at the same one. */
static void records(void)
{
	struct worker a = worker_start(), b = worker_start();
	int pids = bpf_map(), all = bpf_map(), stacks = bpf_map(), off, perf[2];
	struct kview_view *v = view();
	struct kview_set *s = events(v, FORK, NULL, NULL), *t;
	struct kview_attachment *att;
	int raw = bpf_map();

	off = field("sched/sched_process_fork", "parent_pid");
	CHECK_OK(kview_set__add_prog(s, bpf_prog_sum_record(pids, off), 0, NULL));
	CHECK_OK(kview_set__add_prog(s, bpf_prog_stack(stacks), 0, NULL));
	t = tracepoint(v, "sched_process_fork");	/* the same place in another set */
	CHECK_OK(kview_set__add_prog(t, bpf_prog_count(PROG_RAW_TRACEPOINT, raw, 0), 0, NULL));
	att = attach(v, a.pid, 0);
	worker_do(&a, OP_FORKS, N);
	worker_do(&b, OP_FORKS, N);
	CHECK_EQ(hits(s, 0), N);
	CHECK_EQ(hits(t, 0), N);
	CHECK_EQ(bpf_map_get(raw), N);
	CHECK_EQ(bpf_map_get(pids), (long)N * a.pid);
	CHECK_EQ(bpf_map_get(stacks), N);

	/* perf events with a program, and ftrace: all see their own, no more; the kernel may make threads meanwhile */
	perf[0] = bpf_event_attach("sched/sched_process_fork",
				   bpf_prog_count(PROG_TRACEPOINT, all, a.pid));
	perf[1] = bpf_event_attach("sched/sched_process_fork",
				   bpf_prog_count(PROG_TRACEPOINT, all, b.pid));
	write_file(TRACING "trace", "");
	write_file(TRACING "tracing_on", "1");
	write_file(EVENTS "sched/sched_process_fork/enable", "1");
	worker_do(&a, OP_FORKS, N);
	worker_do(&b, OP_FORKS, N);
	write_file(EVENTS "sched/sched_process_fork/enable", "0");
	close(perf[0]);
	close(perf[1]);
	CHECK_EQ(bpf_map_get(all), 2 * N);
	CHECK_EQ(count_lines(TRACING "trace", "sched_process_fork: ", "comm=kview-test", NULL), 2 * N);
	CHECK_EQ(hits(s, 0), 2 * N);
	CHECK_EQ(bpf_map_get(pids), 2L * N * a.pid);

	/* the last one of perf's is gone: its buffers must still be there */
	worker_do(&a, OP_FORKS, N);
	CHECK_EQ(bpf_map_get(pids), 3L * N * a.pid);
	kview_attachment__free(att);
	worker_do(&a, OP_FORKS, N);
	CHECK_EQ(bpf_map_get(pids), 3L * N * a.pid);
	worker_quit(&a);
	worker_quit(&b);
	figure("%d of %d records, 0 of the other process's; perf and ftrace saw %d of %d", 3 * N,
	       3 * N, 2 * N, 2 * N);
	kview_set__free(s);
	kview_set__free(t);
	kview_view__free(v);
}

/* Does the kernel? */
static bool takes_32_bit_calls(void)
{
	long nr = 20;		/* getpid */
	int status = -1;
	pid_t pid;

	/* else it is logged when they are not taken */
	try_write_file("/proc/sys/debug/exception-trace", "0");
	pid = fork();
	if (!pid) {
		asm volatile("int $0x80" : "+a" (nr) : : "memory", "r8", "r9", "r10", "r11");
		_exit(0);
	}
	waitpid(pid, &status, 0);
	try_write_file("/proc/sys/debug/exception-trace", "1");
	return status == 0;
}

/* System calls by name: several events of one tracepoint in a set. */
static void syscalls(void)
{
	struct worker a = worker_start(), b = worker_start();
	struct kview_view *v = view();
	struct kview_set *s, *exits, *closes;
	int nr = bpf_map(), ret = bpf_map();

	s = events(v, "syscalls:sys_enter_lseek", "syscalls:sys_enter_read",
		   "raw_syscalls:sys_enter");
	exits = events(v, "syscalls:sys_exit_read", NULL, NULL);
	CHECK_OK(kview_set__add_prog(exits, bpf_prog_sum_record(ret, 16), 0, NULL));
	attach(v, a.pid, KVIEW_ATTACH_FORK);
	worker_begin(&a, OP_LSEEK, 1000);
	worker_begin(&b, OP_LSEEK, 1000);
	worker_wait(&a);
	worker_wait(&b);
	worker_do(&a, OP_READ_THREADS, 250);
	worker_do(&a, OP_FORK_READ, 100);
	/* a 32-bit program's read, whose number is that of close in a 64-bit one */
	closes = events(v, "syscalls:sys_enter_close", NULL, NULL);
	if (takes_32_bit_calls())
		worker_do(&a, OP_CALL_32, 50);
	CHECK_EQ(hits(closes, 0), 0);
	kview_set__free(closes);
	CHECK_EQ(hits(s, 0), 1000);
	CHECK_EQ(hits(s, 1), 1100);
	CHECK(hits(s, 2) > 2100);
	CHECK_EQ(hits(exits, 0), 1100);
	CHECK_EQ(bpf_map_get(ret), 1100);	/* each returned 1 */
	kview_set__free(s);
	s = events(v, "syscalls:sys_enter_lseek", "syscalls:sys_enter_read", NULL);
	CHECK_OK(kview_set__add_prog(s, bpf_prog_sum_record(nr, 8), 0, NULL));
	worker_do(&a, OP_LSEEK, 1000);
	worker_do(&a, OP_READ, 1000);		/* its number is 0 */
	CHECK_EQ(bpf_map_get(nr), 8 * 1000);
	worker_quit(&a);
	worker_quit(&b);
	figure("lseek 1000 of 1000, read 1100 of 1100, their numbers and results as well");
	kview_set__free(s);
	kview_set__free(exits);
	kview_view__free(v);
}

static int event_error(struct kview_view *v, const char *name)
{
	errno = 0;
	return kview_view__add_events(v, &name, 1, NULL) ? 0 : errno;
}

static void bad(void)
{
	struct kview_view *v = view();
	struct kview_set *s = events(v, "syscalls:sys_enter_close", FORK, NULL);
	const char *twice[] = { FORK, FORK };
	int map = bpf_map();

	CHECK_EQ(event_error(v, "sched_process_fork"), ENOENT);
	CHECK_EQ(event_error(v, "sched:no_such_event"), ENOENT);
	CHECK_EQ(event_error(v, "nothing:sched_process_fork"), ENOENT);
	CHECK_EQ(event_error(v, ":"), ENOENT);
	CHECK_EQ(event_error(v, "ftrace:function"), ENOENT);
	CHECK_EQ(event_error(v, "kview:kview_processes"), EADDRNOTAVAIL);	/* a module's */
	CHECK(!kview_view__add_events(v, twice, 2, NULL) && errno == EEXIST);
	CHECK_EQ(kview_set__add_prog(s, bpf_prog_empty(PROG_KPROBE), 0, NULL), -EINVAL);
	CHECK_EQ(kview_set__add_prog(s, bpf_prog_empty(PROG_RAW_TRACEPOINT), 0, NULL), -EINVAL);
	/* close has one argument: its record ends at 24 */
	CHECK_OK(kview_set__add_prog(s, bpf_prog_sum_record(map, 20), 0, NULL));
	CHECK_EQ(kview_set__add_prog(s, bpf_prog_sum_record(map, 24), 0, NULL), -EINVAL);
	kview_set__free(s);
	kview_view__free(v);
	figure("10 refused");
}

/* perf's buffer for records is another tracer's just then: the call is counted, and so is the loss. */
static void lost_record(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view();
	struct kview_set *s = events(v, "sched:sched_wakeup_new", FORK, NULL);
	struct kview_site_losses l[2];
	struct kview_set_stat st;
	int pids = bpf_map();

	CHECK_OK(kview_set__add_prog(s, bpf_prog_count(PROG_TRACEPOINT, pids, 0), 0, NULL));
	attach(v, a.pid, 0);
	fail_at(2);	/* nothing else asks: the first fork's second event */
	worker_do(&a, OP_FORKS, N);
	CHECK(fail_over());
	CHECK_OK(kview_set__losses(s, 0, 2, l));
	CHECK_OK(kview_set__stat(s, &st));
	CHECK_EQ(hits(s, 0) + hits(s, 1), 2 * N);
	CHECK_EQ(l[0].records + l[1].records, 1);
	CHECK_EQ(st.lost_records, 1);
	CHECK_EQ(bpf_map_get(pids), 2 * N - 1);
	worker_quit(&a);
	kview_set__free(s);
	kview_view__free(v);
	figure("of %d calls %d were seen by the program, 1 is among the losses", 2 * N, 2 * N - 1);
}

const struct test_case cases_event[] = {
	{ "events", records, PLAIN, 0, "tracepoint programs and their records" },
	{ "event-syscalls", syscalls, PLAIN, 0, "tracepoint programs on single system calls" },
	{ "event-lost", lost_record, ONCE, 0, "a record that perf has no room for is counted" },
	{ "bad-events", bad, ONCE, 0, "events and programs that do not fit" },
	{ 0 },
};
