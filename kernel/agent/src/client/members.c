// SPDX-License-Identifier: GPL-2.0
#include <sys/epoll.h>

#include "client/members.h"

static void members__changed(void *context, uint32_t events)
{
	struct members *m = context;

	if (!scope_members__are_there(m->watched))
		m->gone(m->context);
}

int members__watch(struct members *m, struct loop *loop, const struct scope_members *watched, void (*gone)(void *context), void *context)
{
	*m = (struct members){ .loop = loop, .watched = watched, .gone = gone, .context = context };
	m->source = (struct loop_source){ scope_members__fd(watched), members__changed, m, 0 };
	/* What changed before it was read is not told. */
	if (!scope_members__are_there(watched))
		return -1;
	return loop__watch(loop, &m->source, EPOLLPRI) ? -1 : 0;
}

void members__ignore(struct members *m)
{
	/* Removed but not closed: it is the recording's. */
	if (m->loop)
		loop__remove(m->loop, &m->source);
	m->loop = NULL;
}
