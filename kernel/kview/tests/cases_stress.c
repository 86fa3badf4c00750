// SPDX-License-Identifier: GPL-2.0
/*
 * Everything at once, at random, and still exact: while clients attach and detach
 * whom they like, are killed, other tracers patch the same text and memory is
 * short, one process in a view is counted to the last call and one in no view
 * never is.  In rounds: between them the module is unloaded and loaded, while
 * everybody but the clients goes on.
 *
 *	KVIEW_SEED=n	the random numbers' seed; how processes interleave is up to
 *			the scheduler all the same
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "harness.h"
#include "stress.h"

static struct stress *s;
static unsigned long kills;
static int watch;

static const struct {
	stress_actor_t run;
	int n;
} roles[] = {
	{ stress_client, STRESS_CLIENTS },
	{ stress_busy, STRESS_BUSY },
	{ stress_tracer, STRESS_TRACERS },
	{ stress_hog, 1 },
};

static stress_actor_t role_of(int actor, int *nr)
{
	size_t i;

	*nr = actor;
	for (i = 0; *nr >= roles[i].n; i++)
		*nr -= roles[i].n;
	return roles[i].run;
}

static void start(int actor, unsigned int seed)
{
	stress_actor_t run;
	pid_t pid;
	int nr;

	run = role_of(actor, &nr);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* what the conductor holds open must close when it does */
		dup2(watch, STRESS_WATCH_FD);
		close_range(STRESS_WATCH_FD + 1, ~0U, 0);
		run(s, nr, seed);
		_exit(0);
	}
	s->pid[actor] = pid;
}

/* One of them has ended, by itself or not. */
static void gone(int actor, int status)
{
	s->pid[actor] = 0;
	/* what went wrong is printed already */
	if (WIFEXITED(status) && WEXITSTATUS(status))
		_exit(1);
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
		fail(__FILE__, __LINE__, "actor %d ended by signal %d", actor, WTERMSIG(status));
}

static void stop(int actor)
{
	int status;

	if (!s->pid[actor])
		return;
	kill(s->pid[actor], SIGKILL);
	CHECK(waitpid(s->pid[actor], &status, 0) == s->pid[actor]);
	gone(actor, status);
}

static void keep_running(unsigned int *seed)
{
	int i, status;

	for (i = 0; i < STRESS_ACTORS; i++) {
		if (s->pid[i] && waitpid(s->pid[i], &status, WNOHANG) == s->pid[i])
			gone(i, status);
		if (!s->pid[i])
			start(i, rand_r(seed));
	}
}

/* Functions picked at random of all that ftrace can hook in the kernel image. */
static void pick_names(unsigned int *seed)
{
	FILE *f = fopen(TRACING "available_filter_functions", "r");
	char line[512], sym[256];
	unsigned int n = 0, slot;

	CHECK(f);
	while (fgets(line, sizeof(line), f)) {
		if (strchr(line, '[') || sscanf(line, "%255s", sym) != 1 ||
		    strlen(sym) >= sizeof(s->name[0]))
			continue;
		/* a fair sample of a list whose length is not known beforehand */
		slot = n < STRESS_NAMES ? n : pick(seed, n + 1);
		if (slot < STRESS_NAMES)
			strcpy(s->name[slot], sym);
		n++;
	}
	fclose(f);
	s->nnames = n < STRESS_NAMES ? n : STRESS_NAMES;
}

/* The two processes whose counts must be exact. */
struct steady {
	struct worker in, out;
	struct kview_view *v;
	struct kview_set *entry, *ret, *tp;
	struct kview_attachment *att;
	int entry_map, ret_map, tp_map, out_map;
	int other_map, other_tp_map;	/* of other tracers at the same places */
	int kprobe, raw_tp;
	long nread, nforked;
	bool forking;
};

static void steady_begin(struct steady *t)
{
	static const char *const name[] = { "vfs_read" };

	t->entry_map = bpf_map();
	t->ret_map = bpf_map();
	t->tp_map = bpf_map();
	t->other_map = bpf_map();
	t->other_tp_map = bpf_map();
	t->v = view();
	t->entry = functions(t->v, "vfs_read", "__x64_sys_lseek", NULL);
	t->ret = kview_view__add_returns(t->v, name, 1, NULL);
	CHECK(t->ret);
	t->tp = tracepoint(t->v, "sched_process_fork");
	CHECK_OK(kview_set__add_prog(t->entry, bpf_prog_count(PROG_KPROBE, t->entry_map,
							      t->in.pid), 0, NULL));
	CHECK_OK(kview_set__add_prog(t->ret, bpf_prog_sum_reg(t->ret_map, 80 /* ax */), 0, NULL));
	CHECK_OK(kview_set__add_prog(t->tp, bpf_prog_count(PROG_RAW_TRACEPOINT, t->tp_map,
							   t->in.pid), 0, NULL));
	t->kprobe = bpf_kprobe_attach("vfs_read", bpf_prog_count(PROG_KPROBE, t->other_map,
								 t->in.pid));
	t->raw_tp = bpf_raw_tracepoint_attach("sched_process_fork",
					      bpf_prog_count(PROG_RAW_TRACEPOINT, t->other_tp_map,
							     t->in.pid));
	t->att = attach(t->v, t->in.pid, 0);
	t->nread = 0;
	t->nforked = 0;
}

static void steady_check(struct steady *t)
{
	struct kview_set_stat st;

	CHECK_EQ(hits(t->entry, 0), t->nread);
	CHECK_EQ(hits(t->entry, 1), 0);
	CHECK_EQ(hits(t->ret, 0), t->nread);
	CHECK_EQ(hits(t->tp, 0), t->nforked);
	CHECK_EQ(bpf_map_get(t->entry_map), t->nread);
	CHECK_EQ(bpf_map_get(t->ret_map), t->nread);	/* each read returned 1 */
	CHECK_EQ(bpf_map_get(t->tp_map), t->nforked);
	CHECK_EQ(bpf_map_get(t->out_map), 0);
	CHECK_EQ(bpf_map_get(t->other_map), t->nread);
	CHECK_EQ(bpf_map_get(t->other_tp_map), t->nforked);
	CHECK_OK(kview_set__stat(t->ret, &st));
	CHECK_EQ(st.missed, 0);
}

static void steady_step(struct steady *t)
{
	enum { READS = 4000, FORKS = 3 };

	if (worker_idle(&t->out))
		worker_begin(&t->out, OP_READ_MIGRATE, READS);
	if (!worker_idle(&t->in))
		return;
	steady_check(t);
	t->forking = !t->forking;
	t->nread += t->forking ? 0 : READS;
	t->nforked += t->forking ? FORKS : 0;
	worker_begin(&t->in, t->forking ? OP_FORKS : OP_READ_MIGRATE, t->forking ? FORKS : READS);
}

static void steady_end(struct steady *t)
{
	worker_wait(&t->in);
	worker_wait(&t->out);
	steady_check(t);
	kview_attachment__free(t->att);
	kview_set__free(t->tp);
	kview_set__free(t->ret);
	kview_set__free(t->entry);
	kview_view__free(t->v);
	close(t->kprobe);
	close(t->raw_tp);
	close(t->other_map);
	close(t->other_tp_map);
	close(t->entry_map);
	close(t->ret_map);
	close(t->tp_map);
}

static void one_step(unsigned int *seed)
{
	unsigned int r = pick(seed, 100);
	char nth[16];

	if (r < 10) {
		stop(pick(seed, STRESS_ACTORS));
		kills++;
	} else if (r < 13) {
		CHECK(syscall(SYS_delete_module, "kview", O_NONBLOCK) && errno == EAGAIN);
	} else if (r < 25) {
		snprintf(nth, sizeof(nth), "%u", 1 + pick(seed, 50));
		module_param_set("fail_nth", nth);
	}
	keep_running(seed);
	usleep(pick(seed, 20000));
}

/* Long enough, and on a slow machine until enough has happened. */
static void one_round(struct steady *t, unsigned int *seed)
{
	enum { SECONDS = 6, SECONDS_MAX = 25, ATTACHED = 50 };
	unsigned long attached = s->attached;
	time_t begin = time(NULL), now;
	int i;

	module_load("");
	steady_begin(t);
	s->closed = false;
	do {
		steady_step(t);
		one_step(seed);
		now = time(NULL) - begin;
	} while (now < SECONDS || (now < SECONDS_MAX && s->attached < attached + ATTACHED));
	steady_end(t);
	s->closed = true;
	for (i = 0; i < STRESS_CLIENTS; i++)
		stop(i);
	module_param_set("fail_nth", "0");
	wait_nothing_left();
	module_unload();
}

static void stress_for(int at_least, int seconds)
{
	const char *given = getenv("KVIEW_SEED");
	unsigned int seed = given ? strtoul(given, NULL, 0) : (unsigned int)(now_ns() >> 10);
	struct steady t = { 0 };
	time_t end = time(NULL) + seconds;
	int i, rounds = 0;

	printf("# seed %u\n", seed);
	fflush(stdout);
	s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(s != MAP_FAILED);
	s->closed = true;
	pick_names(&seed);
	t.in = worker_start();
	t.out = worker_start();
	CHECK(!setpriority(PRIO_PROCESS, t.in.pid, 10));
	CHECK(!setpriority(PRIO_PROCESS, t.out.pid, 10));
	t.out_map = bpf_map();
	watch = bpf_prog_count(PROG_KPROBE, t.out_map, t.out.pid);
	for (; rounds < at_least || time(NULL) < end; rounds++)
		one_round(&t, &seed);
	for (i = 0; i < STRESS_ACTORS; i++)
		stop(i);
	worker_quit(&t.in);
	worker_quit(&t.out);
	/* what a tracer left that was killed */
	write_file(TRACING "current_tracer", "nop");
	write_file(TRACING "set_ftrace_filter", "");
	write_file(TRACING "events/enable", "0");
	write_file(TRACING "kprobe_events", "");
	figure("%d rounds: %lu attached, %lu sets, %lu refused, %lu traced by others, %lu killed; "
	       "the last round's %ld reads and %ld forks exact", rounds, s->attached, s->sets,
	       s->refused, s->traced, kills, t.nread, t.nforked);
}

static void stress(void)
{
	stress_for(3, 0);
}

static void stress_long(void)
{
	stress_for(1, 600);
}

const struct test_case cases_stress[] = {
	{ "stress", stress, PLAIN, LOAD_NOT | DMESG_SILENT,
	  "everything at random and still exact; 3 rounds of 6 s" },
	{ "stress-long", stress_long, LONG, LOAD_NOT | DMESG_SILENT, "10 minutes of it" },
	{ 0 },
};
