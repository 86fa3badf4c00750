// SPDX-License-Identifier: GPL-2.0
/*
 * The processes in the stress mix whose counts must be exact: one in a view, one in no
 * view, and one that is moved into a cgroup that is in a view, and out of it.
 */
#define _GNU_SOURCE
#include <sys/resource.h>

#include "cgroups.h"
#include "harness.h"
#include "stress.h"

enum { READS = 4000, FORKS = 3, SEEKS = 500 };

static struct {
	struct worker in, out, member;
	struct kview_view *v, *w;
	struct kview_set *entry, *ret, *tp, *event, *filter, *member_entry;
	struct kview_attachment *att, *cgroup;
	int entry_map, ret_map, tp_map, event_map, filter_map, out_map;
	int other_map, other_tp_map;	/* of other tracers at the same places */
	int kprobe, raw_tp;
	long nread, nforked, nseek, nmember;
	int turn;
	bool is_member;
} t;

int steady_start(void)
{
	t.in = worker_start();
	t.out = worker_start();
	t.member = worker_start();
	CHECK(!setpriority(PRIO_PROCESS, t.in.pid, 10));
	CHECK(!setpriority(PRIO_PROCESS, t.out.pid, 10));
	CHECK(!setpriority(PRIO_PROCESS, t.member.pid, 10));
	t.out_map = bpf_map();
	return bpf_prog_count(PROG_KPROBE, t.out_map, t.out.pid);
}

pid_t steady_pid(void)
{
	return t.in.pid;
}

void steady_stop(void)
{
	worker_quit(&t.in);
	worker_quit(&t.out);
	worker_quit(&t.member);
}

static void add_program(struct kview_set *s, int prog)
{
	CHECK_OK(kview_set__add_prog(s, prog, 0, NULL));
	close(prog);
}

static void begin_sets(void)
{
	static const char *const name[] = { "vfs_read" }, *const seek[] = { "__x64_sys_lseek" };
	static const char *const event[] = { "sched:sched_process_fork" };
	struct kview_set_opts filter = { .flags = KVIEW_SET_FILTER };

	t.v = view();
	t.entry = functions(t.v, "vfs_read", "__x64_sys_lseek", "read_zero", NULL);
	t.ret = kview_view__add_returns(t.v, name, 1, NULL);
	CHECK(t.ret);
	t.tp = tracepoint(t.v, "sched_process_fork");
	t.event = kview_view__add_events(t.v, event, 1, NULL);
	CHECK(t.event);
	t.filter = kview_view__add_functions(t.v, seek, 1, &filter);
	CHECK(t.filter);
	add_program(t.entry, bpf_prog_count(PROG_KPROBE, t.entry_map, t.in.pid));
	add_program(t.ret, bpf_prog_sum_reg(t.ret_map, 80 /* ax */));
	add_program(t.tp, bpf_prog_count(PROG_RAW_TRACEPOINT, t.tp_map, t.in.pid));
	add_program(t.event, bpf_prog_count(PROG_TRACEPOINT, t.event_map, t.in.pid));
	add_program(t.filter, bpf_prog_count(PROG_KPROBE, t.filter_map, t.in.pid));
	t.w = view();
	t.member_entry = functions(t.w, "vfs_read", NULL);
}

void steady_begin(bool probes_off)
{
	int *const maps[] = { &t.entry_map, &t.ret_map, &t.tp_map, &t.event_map, &t.filter_map,
			      &t.other_map, &t.other_tp_map };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(maps); i++)
		*maps[i] = bpf_map();
	begin_sets();
	t.kprobe = probes_off ? -1 :
		   bpf_kprobe_attach("vfs_read", bpf_prog_count(PROG_KPROBE, t.other_map,
								t.in.pid));
	t.raw_tp = bpf_raw_tracepoint_attach("sched_process_fork",
					     bpf_prog_count(PROG_RAW_TRACEPOINT, t.other_tp_map,
							    t.in.pid));
	t.att = kview_view__attach(t.v, t.in.pid, 0);
	t.cgroup = kview_view__attach_cgroup(t.w, STRESS_CGROUP_STEADY);
	CHECK(t.att && t.cgroup);
	t.nread = 0;
	t.nforked = 0;
	t.nseek = 0;
	t.nmember = 0;
}

static void check_in(void)
{
	struct kview_set_stat st;

	CHECK_EQ(hits(t.entry, 0), t.nread);
	CHECK_EQ(hits(t.entry, 1), t.nseek);
	CHECK_EQ(hits(t.entry, 2), t.nread);
	CHECK_EQ(hits(t.ret, 0), t.nread);
	CHECK_EQ(hits(t.tp, 0), t.nforked);
	CHECK_EQ(hits(t.event, 0), t.nforked);
	CHECK_EQ(hits(t.filter, 0), t.nseek);
	CHECK_EQ(bpf_map_get(t.entry_map), 2 * t.nread + t.nseek);
	CHECK_EQ(bpf_map_get(t.ret_map), t.nread);	/* each read returned 1 */
	CHECK_EQ(bpf_map_get(t.tp_map), t.nforked);
	CHECK_EQ(bpf_map_get(t.filter_map), t.nseek);
	CHECK_EQ(bpf_map_get(t.out_map), 0);
	CHECK_EQ(bpf_map_get(t.other_map), t.kprobe < 0 ? 0 : t.nread);
	CHECK_EQ(bpf_map_get(t.other_tp_map), t.nforked);
	CHECK_OK(kview_set__stat(t.ret, &st));
	CHECK_EQ(st.missed, 0);
	/* a record is what is made to fail here, too: then it is told */
	CHECK_OK(kview_set__stat(t.event, &st));
	CHECK_EQ(bpf_map_get(t.event_map) + st.lost_records, t.nforked);
}

/* Again, when an allocation of the module was made to fail meanwhile. */
static void move_member(void)
{
	struct kview_attach_stat st;
	int i;

	t.is_member = !t.is_member;
	for (i = 0; i < 10 * PATIENCE; i++) {
		if (i % 100 == 0) {
			module_param_set("fail_nth", "0");
			cgroup_move(t.member.pid, t.is_member ? STRESS_CGROUP_STEADY : ROOT);
		}
		CHECK_OK(kview_attachment__stat(t.cgroup, &st));
		if (st.processes == t.is_member)
			return;
		usleep(1000);
	}
	fail(__FILE__, __LINE__, "moved, but %u processes are in the view", st.processes);
}

static void step_in(void)
{
	static const struct {
		enum op op;
		long n, *sum;
	} turns[] = {
		{ OP_READ_MIGRATE, READS, &t.nread },
		{ OP_FORKS, FORKS, &t.nforked },
		{ OP_LSEEK, SEEKS, &t.nseek },
	};

	check_in();
	t.turn = (t.turn + 1) % ARRAY_SIZE(turns);
	*turns[t.turn].sum += turns[t.turn].n;
	worker_begin(&t.in, turns[t.turn].op, turns[t.turn].n);
}

static void step_member(void)
{
	CHECK_EQ(hits(t.member_entry, 0), t.nmember);
	move_member();
	t.nmember += t.is_member ? READS : 0;
	worker_begin(&t.member, OP_READ_MIGRATE, READS);
}

void steady_step(void)
{
	if (worker_idle(&t.out))
		worker_begin(&t.out, OP_READ_MIGRATE, READS);
	if (worker_idle(&t.in))
		step_in();
	if (worker_idle(&t.member))
		step_member();
}

bool steady_counted(void)
{
	return t.nread && t.nforked && t.nseek && t.nmember;
}

void steady_end(void)
{
	const int fds[] = { t.kprobe, t.raw_tp, t.entry_map, t.ret_map, t.tp_map, t.event_map,
			    t.filter_map, t.other_map, t.other_tp_map };
	struct kview_set *const sets[] = { t.filter, t.event, t.tp, t.ret, t.entry,
					   t.member_entry };
	size_t i;

	worker_wait(&t.in);
	worker_wait(&t.out);
	worker_wait(&t.member);
	check_in();
	CHECK_EQ(hits(t.member_entry, 0), t.nmember);
	if (t.is_member)
		move_member();
	kview_attachment__free(t.att);
	kview_attachment__free(t.cgroup);
	for (i = 0; i < ARRAY_SIZE(sets); i++)
		kview_set__free(sets[i]);
	kview_view__free(t.v);
	kview_view__free(t.w);
	for (i = 0; i < ARRAY_SIZE(fds); i++)
		close(fds[i]);
}

void steady_figure(void)
{
	figure("the last round's %ld reads, %ld forks, %ld seeks, and %ld reads in a cgroup exact",
	       t.nread, t.nforked, t.nseek, t.nmember);
}
