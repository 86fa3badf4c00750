// SPDX-License-Identifier: GPL-2.0
/* In the stress mix: clients of the module. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "harness.h"
#include "stress.h"

enum { VIEWS = 3, SETS = 6, ATTACHMENTS = 8 };

struct client {
	struct stress *s;
	struct kview *k;
	struct kview_view *v[VIEWS];
	struct kview_set *set[SETS];
	struct kview_attachment *att[ATTACHMENTS];
};

/* Others are quicker, or an allocation was made to fail. */
void stress_refused(struct stress *s, const char *what)
{
	static const int known[] = { ESRCH, EBUSY, ENOMEM, EMFILE, ENODEV,
					     EADDRNOTAVAIL, EUSERS };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known) && errno != known[i]; i++)
		;
	if (i == ARRAY_SIZE(known))
		fail(__FILE__, __LINE__, "%s: %s", what, strerror(errno));
	s->done[DID_REFUSED]++;
	s->done[DID_NO_MEMORY] += errno == ENOMEM;
}

static struct kview_set *new_set(struct client *c, struct kview_view *v, unsigned int *seed)
{
	static const char *const tps[] = {
		"sched_switch", "sched_process_fork", "sys_enter", "sys_exit", "sched_waking",
	};
	static const char *const hot[] = {
		"vfs_read", "ksys_read", "kernel_clone", "do_exit", "schedule", "vfs_write",
		"handle_mm_fault", "wake_up_new_task", "begin_new_exec",
		"kview_victim_read",
	};
	static const char *const events[] = {
		"sched:sched_process_fork", "sched:sched_waking", "syscalls:sys_enter_read",
		"syscalls:sys_exit_read",
	};
	struct kview_set_opts skip = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	const char *name[24];
	unsigned int i, n = 1 + pick(seed, ARRAY_SIZE(name)), r = pick(seed, 10);

	if (r < 3) {
		name[0] = tps[pick(seed, ARRAY_SIZE(tps))];
		return kview_view__add_tracepoints(v, name, 1, NULL);
	}
	if (r < 4) {
		name[0] = hot[pick(seed, 2)];
		return kview_view__add_returns(v, name, 1, NULL);
	}
	if (r < 5) {
		name[0] = events[pick(seed, ARRAY_SIZE(events))];
		return kview_view__add_events(v, name, 1, NULL);
	}
	if (r < 6)
		skip.flags |= KVIEW_SET_FILTER;
	for (i = 0; i < n; i++)
		name[i] = !i || !c->s->nnames ? hot[pick(seed, ARRAY_SIZE(hot))] :
						c->s->name[pick(seed, c->s->nnames)];
	return kview_view__add_functions(v, name, n, &skip);
}

static void toggle_set(struct client *c, unsigned int *seed)
{
	struct kview_set **set = &c->set[pick(seed, SETS)];
	struct kview_view *v = c->v[pick(seed, VIEWS)];
	int ret;

	if (*set || !v) {
		kview_set__free(*set);
		*set = NULL;
		return;
	}
	*set = new_set(c, v, seed);
	if (!*set) {
		stress_refused(c->s, "a set");
		return;
	}
	c->s->done[DID_SETS]++;
	/* of the kprobe type, which tracepoints do not take */
	ret = kview_set__add_prog(*set, STRESS_WATCH_FD, 0, NULL);
	errno = -ret;
	if (ret && ret != -EINVAL)
		stress_refused(c->s, "a program");
}

static void toggle_program(struct client *c, unsigned int *seed)
{
	struct kview_set *set = c->set[pick(seed, SETS)];
	int ret;

	if (!set)
		return;
	ret = kview_set__del_prog(set, STRESS_WATCH_FD);
	if (ret == -ENOENT)
		ret = kview_set__add_prog(set, STRESS_WATCH_FD, 0, NULL);
	c->s->done[DID_PROGRAMS] += !ret;
	errno = -ret;
	if (ret && ret != -EINVAL)
		stress_refused(c->s, "a program");
}

static void toggle_attachment(struct client *c, unsigned int *seed)
{
	struct kview_attachment **att = &c->att[pick(seed, ATTACHMENTS)];
	struct kview_view *v = c->v[pick(seed, VIEWS)];
	pid_t pid = c->s->pid[pick(seed, STRESS_ACTORS)];

	if (*att || !v || !pid) {
		kview_attachment__free(*att);
		*att = NULL;
		return;
	}
	if (!pick(seed, 4)) {
		*att = kview_view__attach_cgroup(v, stress_a_cgroup(seed));
		c->s->done[DID_CGROUPS] += !!*att;
	} else {
		*att = kview_view__attach(v, pid, pick(seed, 4));
		c->s->done[DID_ATTACHED] += !!*att;
	}
	if (*att)
		return;
	stress_refused(c->s, "attaching");
}

static void toggle_view(struct client *c, unsigned int *seed)
{
	struct kview_view **v = &c->v[pick(seed, VIEWS)];

	if (*v) {
		kview_view__free(*v);
		*v = NULL;
		return;
	}
	*v = kview_view__new(c->k);
	if (!*v)
		stress_refused(c->s, "a view");
}

static void look(struct client *c, unsigned int *seed)
{
	struct kview_set *set = c->set[pick(seed, SETS)];
	struct kview_view *v = c->v[pick(seed, VIEWS)];
	struct kview_view_stat vst;
	struct kview_stat st;
	uint64_t n;

	CHECK_OK(kview__stat(c->k, &st));
	if (v)
		CHECK_OK(kview_view__stat(v, &vst));
	if (set)
		CHECK_OK(kview_set__hits(set, 0, 1, -1, &n));
}

static void client_step(struct client *c, unsigned int *seed)
{
	unsigned int r = pick(seed, 100);

	if (r < 40)
		toggle_attachment(c, seed);
	else if (r < 60)
		toggle_set(c, seed);
	else if (r < 70)
		toggle_program(c, seed);
	else if (r < 80)
		toggle_view(c, seed);
	else if (r < 85)
		look(c, seed);
	else
		usleep(pick(seed, 3000));
}

void stress_client(struct stress *s, int nr, unsigned int seed)
{
	struct client c = { .s = s };

	(void)nr;
	while (!s->closed && !c.k) {
		c.k = kview__open();
		if (!c.k)
			usleep(10000);
	}
	while (!s->closed)
		client_step(&c, &seed);
	for (;;)		/* with everything open, to be killed */
		pause();
}
