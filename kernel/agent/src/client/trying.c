// SPDX-License-Identifier: GPL-2.0
#include "client/trying.h"

#include <stddef.h>
#include <sys/epoll.h>

#include "mechanism/view_trial.h"

static void trying__end(struct trying *t, struct error *no_view)
{
	/* Removed but not closed: it is the trial's. */
	loop__remove(t->loop, &t->answer);
	loop__close(t->loop, &t->timer);
	view_trial__end(t->trial, no_view);
	t->trial = NULL;
}

/* It is known, or was waited for for long enough. */
static void trying__known(void *context, uint32_t events)
{
	struct trying *t = context;
	struct error no_view = { 0 };

	trying__end(t, &no_view);
	t->done(t->context, &no_view);
}

void trying__begin(struct trying *t, struct loop *loop, pid_t pid, void (*done)(void *context, const struct error *no_view),
		   void *context)
{
	*t = (struct trying){ .loop = loop, .trial = view_trial__begin(pid), .answer.fd = -1, .timer.fd = -1,
			      .done = done, .context = context };
	if (!t->trial)
		return done(context, NULL);
	t->answer = (struct loop_source){ view_trial__fd(t->trial), trying__known, t, 0 };
	if (loop__watch(loop, &t->answer, EPOLLIN) ||
	    loop__tick(loop, &t->timer, VIEW_PATIENCE_NS, VIEW_PATIENCE_NS, trying__known, t))
		trying__known(t, 0);
}

bool trying__is_on(const struct trying *t)
{
	return t->trial;
}

void trying__break_off(struct trying *t)
{
	if (t->trial)
		trying__end(t, NULL);
}
