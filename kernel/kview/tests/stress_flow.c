// SPDX-License-Identifier: GPL-2.0
/* In the stress mix: who follows a process through all functions of the kernel, their entries and returns. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"
#include "stress.h"

enum { RETURNS = 16384, HOLD_US = 400000 };

struct follower {
	struct stress *s;
	struct kview_view *v;
	struct kview_set *returns, *entries, *switches;
	struct kview_attachment *att;
};

/* As the agent does, all at once, and each with a program. */
static bool hook_all(struct follower *f)
{
	static const char *const tp = "sched_switch";
	struct kview_set_opts returns = { .flags = KVIEW_SET_SKIP_UNUSABLE, .returns = RETURNS };
	struct kview_set_opts entries = { .flags = KVIEW_SET_SKIP_UNUSABLE };
	struct stress *s = f->s;

	f->returns = kview_view__add_return_addresses(f->v, s->function, s->nfunctions, &returns);
	if (f->returns)
		f->entries = kview_view__add_addresses(f->v, s->function, s->nfunctions, &entries);
	if (f->entries)
		f->switches = kview_view__add_tracepoints(f->v, &tp, 1, NULL);
	if (!f->switches)
		return false;
	errno = -kview_set__add_prog(f->returns, STRESS_WATCH_FD, 0, NULL);
	if (!errno)
		errno = -kview_set__add_prog(f->entries, STRESS_WATCH_FD, 0, NULL);
	return !errno;
}

/* Now and then the one whose calls are counted, who is in another view already. */
static bool enter(struct follower *f, unsigned int *seed)
{
	pid_t pid = pick(seed, 3) ? f->s->pid[pick(seed, STRESS_ACTORS)] : f->s->steady;

	errno = ESRCH;
	if (pid)
		f->att = kview_view__attach(f->v, pid, pick(seed, 4));
	return f->att;
}

static void leave(struct follower *f, unsigned int *seed)
{
	bool view_first = pick(seed, 2);

	if (view_first)
		kview_view__free(f->v);
	if (f->att)
		kview_attachment__free(f->att);
	if (f->returns)
		kview_set__free(f->returns);
	if (f->entries)
		kview_set__free(f->entries);
	if (f->switches)
		kview_set__free(f->switches);
	if (!view_first)
		kview_view__free(f->v);
}

static void follow(struct stress *s, struct kview *k, unsigned int *seed)
{
	struct follower f = { .s = s };

	/* all of that in the time in which none is made to fail; but now and then one of its allocations is */
	s->following = pick(seed, 4);
	if (s->following)
		module_param_set("fail_nth", "0");
	f.v = kview_view__new(k);
	if (!f.v) {
		stress_refused(s, "a view");
	} else if (hook_all(&f) && enter(&f, seed)) {
		usleep(pick(seed, HOLD_US));
		s->done[DID_FOLLOWED]++;
	} else {
		stress_refused(s, "following");
	}
	if (f.v)
		leave(&f, seed);
	s->following = false;
}

void stress_follower(struct stress *s, int nr, unsigned int seed)
{
	struct kview *k = NULL;

	(void)nr;
	while (!s->closed && !k && s->nfunctions) {
		k = kview__open();
		if (!k)
			usleep(10000);
	}
	while (!s->closed && k) {
		follow(s, k, &seed);
		usleep(pick(&seed, 100000));
	}
	for (;;)		/* to be killed */
		pause();
}
