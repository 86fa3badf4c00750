// SPDX-License-Identifier: GPL-2.0
/*
 * Everything at once, at random, and still exact: while clients attach and detach
 * whom they like, are killed, run out of memory (as the module is made to say), and
 * other tracers patch the same text, a process in a view is counted to the last call,
 * one in no view never, and one that is moved into a cgroup that is in a view, and out
 * of it, while it is in.
 * In rounds: between them the module is unloaded and loaded, while everybody but the
 * clients goes on.
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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "cgroups.h"
#include "harness.h"
#include "stress.h"
#include "text.h"

const char *const stress_cgroup[STRESS_CGROUPS] = {
	"/sys/fs/cgroup/kv-a", "/sys/fs/cgroup/kv-b", STRESS_CGROUP_STEADY,
};

static struct stress *s;
static int watch;

/*
 * How often, at least, where it is done at all: in the first round, in one after it, and in each of the long form.
 * What takes seconds under emulation is done in one round of the short form.
 */
static const struct {
	const char *what;
	unsigned int first, again, each;
} kinds[DID_KINDS] = {
	[DID_ATTACHED] = { "attached", 10, 5, 15 },
	[DID_CGROUPS] = { "cgroups", 3, 1, 5 },
	[DID_SETS] = { "sets", 6, 3, 10 },
	[DID_PROGRAMS] = { "programs", 1, 0, 2 },
	[DID_FOLLOWED] = { "followed through all functions", 2, 2, 2 },
	[DID_REFUSED] = { "refused", 0, 0, 0 },
	[DID_NO_MEMORY] = { "refused for want of memory", 1, 0, 1 },
	[DID_MOVED] = { "moved", 3, 1, 3 },
	[DID_FUNCTIONS] = { "functions traced by others", 1, 0, 2 },
	[DID_KPROBES] = { "kprobes", 1, 0, 2 },
	[DID_EVENTS] = { "events", 1, 0, 2 },
	[DID_PROBED] = { "probes at random places", 1, 0, 1 },
	[DID_LABELS] = { "jump labels", 1, 0, 1 },
	[DID_CALLS] = { "all static calls", 0, 0, 0 },
	[DID_MODULES] = { "modules", 1, 0, 1 },
	[DID_ALL_OFF] = { "all kprobes off", 1, 1, 1 },
	[DID_LIVEPATCHED] = { "live patches", 1, 1, 1 },
	[DID_KILLED] = { "killed", 2, 1, 2 },
};

static unsigned long begun[DID_KINDS];	/* of what was done before this round */
static bool is_first;

static const struct {
	stress_actor_t run;
	int n;
} roles[] = {
	{ stress_client, STRESS_CLIENTS },
	{ stress_busy, STRESS_BUSY },
	{ stress_tracer, STRESS_TRACERS },
	{ stress_patcher, 1 },
	{ stress_hog, 1 },
	{ stress_live_patcher, 1 },
	{ stress_follower, 1 },
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
	if (actor == STRESS_FOLLOWER)
		s->following = false;
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

static void find_loads(const struct text *t)
{
	/* not of those whose counts are exact: while it is there, no view gets that tracepoint */
	static const char *const tps[STRESS_LOADS] = {
		"sched_switch", "sched_waking", "sys_enter", "sys_exit",
	};
	struct place p;
	int i;

	for (i = 0; i < STRESS_LOADS; i++)
		if (text_find_load(t, tps[i], &p))
			strcpy(s->load[s->nloads++], p.name);
}

static void find_functions(void)
{
	const uint64_t *found;

	s->nfunctions = all_functions(&found);
	CHECK(s->nfunctions <= STRESS_FUNCTIONS);
	memcpy(s->function, found, s->nfunctions * sizeof(*found));
}

static void one_step(unsigned int *seed)
{
	unsigned int r = pick(seed, 100), actor = pick(seed, STRESS_ACTORS);
	char nth[16];

	if (r < 10 && (actor != STRESS_FOLLOWER || !s->following || !pick(seed, 20))) {
		stop(actor);
		s->done[DID_KILLED]++;
	} else if (r < 13) {
		CHECK(syscall(SYS_delete_module, "kview", O_NONBLOCK) && errno == EAGAIN);
	} else if (r >= 10 && r < 25 && !s->following) {
		snprintf(nth, sizeof(nth), "%u", 1 + pick(seed, 50));
		module_param_set("fail_nth", nth);
	}
	keep_running(seed);
	usleep(pick(seed, 20000));
}

/* Was this not done often enough yet, in this round? */
static bool is_missing(int kind)
{
	unsigned int least = s->thorough || repeats(false, true) ? kinds[kind].each :
			     is_first ? kinds[kind].first : kinds[kind].again;

	if ((kind == DID_FOLLOWED && !s->nfunctions) || (kind == DID_ALL_OFF && !s->probes_off) || (kind == DID_LIVEPATCHED && !stress_live_patches(s)))
		return false;
	return s->done[kind] < begun[kind] + least;
}

static void tell_missing(void)
{
	unsigned long lacks = 0;
	int i;

	for (i = 0; i < DID_KINDS; i++)
		lacks |= (unsigned long)is_missing(i) << i;
	s->lacks = lacks;
}

/* What was not done often enough yet, or NULL. */
static const char *missing(void)
{
	static char text[512];
	int i, used = 0;

	tell_missing();
	for (i = 0; i < DID_KINDS; i++)
		if (s->lacks & 1UL << i)
			used += snprintf(text + used, sizeof(text) - used, "%s%s", used ? ", " : "", kinds[i].what);
	if (!steady_counted())
		used += snprintf(text + used, sizeof(text) - used, "%scalls that are counted", used ? ", " : "");
	return used ? text : NULL;
}

/* Every minute: a guest that is ended by its limit leaves in its log what it was waiting for. */
static void say_missing(int round, time_t seconds)
{
	static time_t said;

	if (seconds < 60)
		said = 0;
	if (seconds < said + 60)
		return;
	said = seconds;
	printf("# stress: %ld s in round %d, missing: %s\n", (long)seconds, round, missing() ?: "nothing");
	fflush(stdout);
}

/* Until enough of everything has happened, however slow the machine is: so that the counts say something. */
static void one_round(unsigned int *seed, int round, int seconds)
{
	enum { PATIENT_SECONDS = 1200 };
	time_t begin = time(NULL), now;
	bool probes_off = round % 3 == 1;
	int i;

	for (i = 0; i < DID_KINDS; i++)
		begun[i] = s->done[i];
	is_first = round == 0;

	module_load("");
	steady_begin(probes_off);
	s->probes_off = probes_off;
	s->closed = false;
	do {
		steady_step();
		one_step(seed);
		now = time(NULL) - begin;
		say_missing(round, now);
		if (missing() && now > PATIENT_SECONDS)
			fail(__FILE__, __LINE__, "too few in a round: %s", missing());
	} while (now < seconds || missing());
	steady_end();
	s->closed = true;
	s->probes_off = false;
	for (i = 0; i < STRESS_CLIENTS; i++)
		stop(i);
	stop(STRESS_FOLLOWER);
	/* the patcher, who may just have switched them off: the module would not load */
	stop(STRESS_CLIENTS + STRESS_BUSY + STRESS_TRACERS);
	write_file(STRESS_PROBES, "1");
	module_param_set("fail_nth", "0");
	wait_nothing_left();
	module_unload();
}

static void stress_for(int at_least, int seconds, int round_seconds, bool follows)
{
	const char *given = getenv("KVIEW_SEED");
	unsigned int seed = given ? strtoul(given, NULL, 0) : (unsigned int)(now_ns() >> 10);
	time_t end = time(NULL) + seconds;
	int i, rounds = 0;
	struct text *before;

	printf("# seed %u\n", seed);
	fflush(stdout);
	s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(s != MAP_FAILED);
	s->closed = true;
	s->thorough = seconds > 0;
	before = text_read();
	find_loads(before);
	pick_names(&seed);
	for (i = 0; i < STRESS_CGROUPS; i++)
		CHECK(!mkdir(stress_cgroup[i], 0755) || errno == EEXIST);
	watch = steady_start();
	s->steady = steady_pid();
	if (follows)
		find_functions();
	for (; rounds < at_least || time(NULL) < end; rounds++)
		one_round(&seed, rounds, round_seconds);
	for (i = 0; i < STRESS_ACTORS; i++)
		stop(i);
	steady_stop();
	for (i = 0; i < STRESS_CGROUPS; i++)
		cgroup_remove(stress_cgroup[i]);
	/* what a tracer left that was killed */
	stress_patched_back();
	write_file(TRACING "current_tracer", "nop");
	write_file(TRACING "set_ftrace_filter", "");
	write_file(TRACING "events/enable", "0");
	write_file(TRACING "kprobe_events", "");
	kprobes_settled();
	text_check(before);
	free(before);
	figure("%d rounds: ", rounds);
	for (i = 0; i < DID_KINDS; i++)
		figure("%lu %s%s", s->done[i], kinds[i].what, i + 1 < DID_KINDS ? ", " : "; ");
	steady_figure();
}

static void stress(void)
{
	stress_for(2, 0, 0, false);
}

static void stress_flow(void)
{
	stress_for(2, 0, 0, true);
}

static void stress_long(void)
{
	stress_for(1, 600, 6, true);
}

const struct test_case cases_stress[] = {
	{ "stress", stress, ONCE_LONGEST, LOAD_NOT | DMESG_SILENT,
	  "everything at random and still exact, in two rounds; until each kind was done some times" },
	{ "stress-flow", stress_flow, LONG, LOAD_NOT | DMESG_SILENT,
	  "the same while processes are followed through all functions, their entries and returns" },
	{ "stress-long", stress_long, LONG, LOAD_NOT | DMESG_SILENT, "10 minutes of that" },
	{ 0 },
};
