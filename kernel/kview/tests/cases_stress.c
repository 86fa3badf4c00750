// SPDX-License-Identifier: GPL-2.0
/* Everything at once, at random. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "harness.h"

enum { WORKERS = 6, VIEWS = 3 };

static void busy(unsigned int seed)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close_range(3, ~0U, 0);		/* the client's fds must be its own */
	for (;;) {
		int r = rand_r(&seed) % 100;
		cpu_set_t set;
		pid_t pid;
		char *m;

		if (r < 60) {
			reads(200);
		} else if (r < 72) {
			pid = fork();
			if (!pid) {
				reads(100);
				_exit(0);
			}
			waitpid(pid, NULL, 0);
		} else if (r < 80) {
			m = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				 -1, 0);
			memset(m, 1, 1 << 20);
			munmap(m, 1 << 20);
		} else if (r < 84) {
			pid = vfork();
			if (!pid) {
				execl("/proc/self/exe", "kview-test", "--reads", "50", NULL);
				_exit(1);
			}
			waitpid(pid, NULL, 0);
		} else if (r < 90) {
			usleep(rand_r(&seed) % 3000);
		} else if (r < 92) {
			_exit(0);
		} else {
			CPU_ZERO(&set);
			CPU_SET(rand_r(&seed) % sysconf(_SC_NPROCESSORS_ONLN), &set);
			sched_setaffinity(0, sizeof(set), &set);
		}
	}
}

static pid_t start_busy(unsigned int seed)
{
	pid_t pid = fork();

	if (!pid)
		busy(seed);
	return pid;
}

struct client {
	struct kview_view *v[VIEWS];
	struct kview_set *s[VIEWS];
	struct kview_set *extra[VIEWS];
	struct kview_attachment *att[WORKERS];
	struct kview_attachment *self;
	pid_t pid[WORKERS];
	int prog;
	unsigned long attached, sets, kills, tracers, inside;
};

static void open_views(struct client *c)
{
	c->v[0] = view();
	c->s[0] = functions(c->v[0], "vfs_read", "ksys_read", NULL);
	c->v[1] = view();
	c->s[1] = tracepoint(c->v[1], "sched_switch");
	c->v[2] = view();
	c->s[2] = functions(c->v[2], "vfs_read", "kernel_clone", "do_exit", "schedule", NULL);
	CHECK_OK(kview_set__add_prog(c->s[0], c->prog, 0, NULL));
	CHECK_OK(kview_set__add_prog(c->s[2], c->prog, 0, NULL));
}

static void close_views(struct client *c)
{
	int i;

	for (i = 0; i < WORKERS; i++) {
		if (c->att[i])
			kview_attachment__free(c->att[i]);
		c->att[i] = NULL;
	}
	if (c->self)
		kview_attachment__free(c->self);
	c->self = NULL;
	for (i = 0; i < VIEWS; i++) {
		if (c->extra[i])
			kview_set__free(c->extra[i]);
		c->extra[i] = NULL;
		kview_view__free(c->v[i]);
		kview_set__free(c->s[i]);
	}
}

static void toggle_set(struct client *c, int i)
{
	static const char *const names[] = { "vfs_read", "vfs_write", "__schedule", "do_sys_openat2" };

	c->sets++;
	if (c->extra[i]) {
		kview_set__free(c->extra[i]);
		c->extra[i] = NULL;
	} else {
		struct kview_set_opts skip = { .flags = KVIEW_SET_SKIP_UNUSABLE };

		c->extra[i] = kview_view__add_functions(c->v[i], names, ARRAY_SIZE(names), &skip);
		CHECK(c->extra[i]);
	}
}

static void toggle_tracers(struct client *c, unsigned int r)
{
	static const char *const funcs[] = { "vfs_read", "ksys_read", "kernel_clone", "schedule" };

	c->tracers++;
	switch (r % 3) {
	case 0:
		write_file(TRACING "set_ftrace_filter", funcs[r / 3 % ARRAY_SIZE(funcs)]);
		write_file(TRACING "current_tracer", "function");
		usleep(1000);
		write_file(TRACING "current_tracer", "nop");
		break;
	case 1:
		write_file(TRACING "events/sched/sched_switch/enable", "1");
		usleep(1000);
		write_file(TRACING "events/sched/sched_switch/enable", "0");
		break;
	case 2:
		write_file(TRACING "kprobe_events", "p:kv_stress vfs_read");
		write_file(TRACING "events/kprobes/enable", "1");
		usleep(1000);
		write_file(TRACING "events/kprobes/enable", "0");
		write_file(TRACING "kprobe_events", "");
		break;
	}
}

static void one_step(struct client *c, unsigned int *seed)
{
	int r = rand_r(seed) % 100, i = rand_r(seed) % WORKERS;

	if (waitpid(c->pid[i], NULL, WNOHANG) == c->pid[i])
		c->pid[i] = start_busy(rand_r(seed));
	if (r < 45) {
		if (c->att[i])
			kview_attachment__free(c->att[i]);
		c->att[i] = kview_view__attach(c->v[rand_r(seed) % VIEWS], c->pid[i],
					       rand_r(seed) % 4);
		/* it may have ended, or joined by way of its parent */
		CHECK(c->att[i] || errno == ESRCH || errno == EBUSY);
		c->attached += !!c->att[i];
	} else if (r < 60) {
		if (c->att[i])
			kview_attachment__free(c->att[i]);
		c->att[i] = NULL;
	} else if (r < 68) {
		kill(c->pid[i], SIGKILL);
		waitpid(c->pid[i], NULL, 0);
		c->pid[i] = start_busy(rand_r(seed));
		c->kills++;
	} else if (r < 78) {
		toggle_set(c, rand_r(seed) % VIEWS);
	} else if (r < 88) {
		toggle_tracers(c, rand_r(seed));
	} else if (r < 92) {
		/* the patching below is then done from inside a view */
		if (c->self) {
			kview_attachment__free(c->self);
			c->self = NULL;
		} else {
			c->self = kview_view__attach(c->v[rand_r(seed) % VIEWS], getpid(), 0);
			/* a child just born still holds the fd of the last time */
			CHECK(c->self || errno == EBUSY);
		}
		c->inside++;
	} else if (r < 93) {
		close_views(c);
		open_views(c);
	} else {
		usleep(2000);
	}
}

static void stress_for(int seconds)
{
	struct client c = { .prog = bpf_prog_count(PROG_KPROBE, bpf_map(), 0) };
	time_t end = time(NULL) + seconds;
	unsigned int seed = 1;
	int i;

	open_views(&c);
	for (i = 0; i < WORKERS; i++)
		c.pid[i] = start_busy(i + 1);
	while (time(NULL) < end)
		one_step(&c, &seed);
	for (i = 0; i < WORKERS; i++) {
		kill(c.pid[i], SIGKILL);
		waitpid(c.pid[i], NULL, 0);
	}
	close_views(&c);
	figure("%d s: %lu attached, %lu sets toggled, %lu killed, %lu tracers toggled, %lu from inside",
	       seconds, c.attached, c.sets, c.kills, c.tracers, c.inside);
}

static void stress(void)
{
	stress_for(20);
}

static void stress_long(void)
{
	stress_for(600);
}

const struct test_case cases_stress[] = {
	{ "stress", stress, PLAIN, 0, "20 s of everything at random" },
	{ "stress-long", stress_long, LONG, 0, "10 minutes of it" },
	{ 0 },
};
