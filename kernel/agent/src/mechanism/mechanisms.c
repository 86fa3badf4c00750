// SPDX-License-Identifier: GPL-2.0
#include "base/loop.h"
#include "mechanism/mechanisms_state.h"
#include "mechanism/shared_view.h"

void mechanisms__calibrate(struct mechanisms *ms, struct calibration *latest)
{
	size_t i;

	for (i = 0; i < ms->nr_parts; i++) {
		loop__breathe();
		ms->parts[i].mechanism->ops->calibrate(ms->parts[i].mechanism, latest);
	}
	loop__breathe();
}

int mechanisms__attach(struct mechanisms *ms, struct error *error)
{
	size_t nr, i;

	for (nr = 0; nr < ms->nr_parts; nr++) {
		if (ms->parts[nr].mechanism->ops->attach(ms->parts[nr].mechanism, error))
			goto fail;
		loop__breathe();
	}
	shared_view__look_for_others(ms->view);
	ms->begin_ns = clock__now_ns();
	for (i = 0; i < nr; i++) {
		if (figures__begin(&ms->parts[i].mechanism->figures, ms->begin_ns)) {
			error__set(error, ERR_FAILED, "There is not enough memory for the recording.");
			goto fail;
		}
		if (ms->parts[i].mechanism->ops->begin(ms->parts[i].mechanism, error))
			goto fail;
	}
	return 0;
fail:
	while (nr--)
		ms->parts[nr].mechanism->ops->detach(ms->parts[nr].mechanism);
	return -1;
}

#define MOST_ATTEMPTS 4

/* With the last one all is left that this kind can't keep up with. */
void mechanisms__leave(const struct mechanisms *ms, struct left_points *left)
{
	size_t i, k;

	left->once_more = false;
	left->attempts++;
	for (i = 0; ms && i < ms->nr_parts; i++) {
		const struct mechanism_part *part = &ms->parts[i];

		if (!part->mechanism->taken || left->attempts > MOST_ATTEMPTS)
			continue;
		left->once_more = true;
		for (k = 0; k < part->mechanism->nr; k++)
			left->points[part->points[k]] |= part->mechanism->taken[k] || left->attempts == MOST_ATTEMPTS;
	}
}

int mechanisms__detach(void *mechanisms)
{
	struct mechanisms *ms = mechanisms;
	size_t i;

	for (i = 0; i < ms->nr_parts; i++)
		ms->parts[i].mechanism->ops->end(ms->parts[i].mechanism);
	ms->end_ns = clock__now_ns();
	for (i = 0; i < ms->nr_parts; i++) {
		loop__breathe();
		ms->parts[i].mechanism->ops->detach(ms->parts[i].mechanism);
	}
	shared_view__end(ms->view);
	return 0;
}

const char *mechanisms__follow(struct mechanisms *ms, struct mechanism_off *off)
{
	const char *why;
	size_t i, k;

	off->nr = 0;
	off->were_never_on = false;
	for (i = 0; i < ms->nr_parts && !off->nr; i++) {
		struct mechanism *mechanism = ms->parts[i].mechanism;

		why = mechanism->ops->follow ? mechanism->ops->follow(mechanism, off) : NULL;
		if (why)
			return why;
		for (k = 0; k < off->nr; k++)
			off->points[k] = ms->parts[i].points[off->points[k]];
	}
	return NULL;
}

/* Each part's own of some points, by its own ids, to dropped. */
static void mechanisms__split_dropped(struct mechanisms *ms, const uint32_t *points, size_t nr)
{
	size_t i;

	for (i = 0; i < ms->nr_parts; i++)
		ms->parts[i].nr_dropped = 0;
	for (i = 0; i < nr; i++) {
		struct mechanism_part *part = &ms->parts[ms->places[points[i]].part];

		part->dropped[part->nr_dropped++] = ms->places[points[i]].point;
	}
}

int mechanisms__drop(struct mechanisms *ms, const uint32_t *dropped, size_t nr_dropped,
		     const uint32_t *kept, size_t nr_kept, struct error *error)
{
	size_t i;

	mechanisms__split_dropped(ms, dropped, nr_dropped);
	for (i = 0; i < ms->nr_parts; i++)
		ms->parts[i].nr_kept = 0;
	for (i = 0; i < nr_kept; i++) {
		struct mechanism_part *part = &ms->parts[ms->places[kept[i]].part];

		part->kept[part->nr_kept++] = ms->places[kept[i]].point;
	}
	for (i = 0; i < ms->nr_parts; i++) {
		struct mechanism_part *part = &ms->parts[i];

		if (!part->nr_dropped && !part->has_relieved)
			continue;
		part->has_relieved = false;
		if (part->mechanism->ops->drop(part->mechanism, part->dropped, part->nr_dropped,
					       part->kept, part->nr_kept, error))
			return -1;
	}
	return 0;
}

size_t mechanisms__relieve(struct mechanisms *ms, uint32_t *points, size_t nr, uint32_t *kept)
{
	size_t nr_left = 0, nr_kept = 0, i, k;

	mechanisms__split_dropped(ms, points, nr);
	for (i = 0; i < ms->nr_parts; i++) {
		struct mechanism_part *part = &ms->parts[i];
		const struct mechanism_ops *ops = part->mechanism->ops;
		size_t left = ops->relieve ? ops->relieve(part->mechanism, part->dropped,
							  part->nr_dropped, part->kept) :
					     part->nr_dropped;

		for (k = 0; k < left; k++)
			points[nr_left++] = part->points[part->dropped[k]];
		for (k = 0; k < part->nr_dropped - left; k++)
			kept[nr_kept++] = part->points[part->kept[k]];
		part->has_relieved |= left < part->nr_dropped;
	}
	return nr_left;
}

void mechanisms__recheck(struct mechanisms *ms)
{
	size_t i;

	for (i = 0; i < ms->nr_parts; i++)
		if (ms->parts[i].mechanism->ops->recheck)
			ms->parts[i].mechanism->ops->recheck(ms->parts[i].mechanism);
}

static uint64_t part__cost_ns(const struct mechanism_part *part)
{
	uint64_t ns = 0;
	size_t i;

	for (i = 0; i < part->mechanism->nr; i++)
		ns += figures__calls(&part->mechanism->figures, i).cost_ns;
	return ns;
}

/*
 * A mechanism whose own code measures knows nothing of the others' probes that are hit within its calls, nor they of its: what all
 * of them cost is the most that a sum can be wrong by.
 */
static uint64_t mechanisms__unseen_ns(const struct mechanisms *ms, size_t point)
{
	const struct mechanism_part *own = &ms->parts[ms->places[point].part];
	uint64_t ns = 0, wall_ns;
	size_t i;

	/* Within system calls nothing of the process's own code runs. */
	if (!own->mechanism->ops->changes && !own->mechanism->ops->avoid)
		return 0;
	for (i = 0; i < ms->nr_parts; i++)
		if (&ms->parts[i] != own && (own->mechanism->ops->changes || ms->parts[i].mechanism->ops->changes))
			ns += ms->parts[i].cost_ns;
	if (!ns)
		return 0;
	wall_ns = figures__total(ms->points[point].figures, ms->points[point].function, XP_WALL).total_ns;
	return ns < wall_ns ? ns : wall_ns;
}

void mechanisms__refresh(struct mechanisms *ms)
{
	size_t i;

	shared_view__look_for_others(ms->view);
	for (i = 0; i < ms->nr_parts; i++)
		if (ms->parts[i].mechanism->ops->refresh)
			ms->parts[i].mechanism->ops->refresh(ms->parts[i].mechanism);
	for (i = 0; i < ms->nr_parts && ms->nr_parts > 1; i++)
		ms->parts[i].cost_ns = part__cost_ns(&ms->parts[i]);
}

bool mechanisms__reprice(struct mechanisms *ms)
{
	bool is_new = false;
	size_t i;

	for (i = 0; i < ms->nr_parts; i++)
		if (ms->parts[i].mechanism->ops->reprice)
			is_new |= ms->parts[i].mechanism->ops->reprice(ms->parts[i].mechanism);
	return is_new;
}

uint64_t mechanisms__beside_ns(const struct mechanisms *ms, size_t part)
{
	const struct mechanism *mechanism = ms->parts[part].mechanism;

	return mechanism->ops->beside_ns ? mechanism->ops->beside_ns(mechanism) : 0;
}

const char *mechanisms__beside(const struct mechanisms *ms, size_t part)
{
	return ms->parts[part].mechanism->beside;
}

uint32_t mechanisms__part_of(const struct mechanisms *ms, size_t point)
{
	return ms->places[point].part;
}

static const struct mechanism *mechanisms__of(const struct mechanisms *ms, size_t point)
{
	return ms->parts[ms->places[point].part].mechanism;
}

uint64_t mechanisms__uncertain_ns(const struct mechanisms *ms, size_t point, uint64_t removed_ns,
				  uint64_t uncertain_ns)
{
	const struct mechanism *mechanism = mechanisms__of(ms, point);

	return mechanisms__unseen_ns(ms, point) +
	       (mechanism->ops->uncertain_ns ?
		mechanism->ops->uncertain_ns(mechanism, removed_ns, uncertain_ns) : uncertain_ns);
}

const char *mechanisms__has_failed(const struct mechanisms *ms)
{
	const char *why = shared_view__has_failed(ms->view);
	size_t i;

	for (i = 0; i < ms->nr_parts && !why; i++)
		if (ms->parts[i].mechanism->ops->has_failed)
			why = ms->parts[i].mechanism->ops->has_failed(ms->parts[i].mechanism);
	return why;
}

bool mechanisms__is_relieving(const struct mechanisms *ms)
{
	bool is_relieving = false;
	size_t i;

	for (i = 0; i < ms->nr_parts; i++)
		if (ms->parts[i].mechanism->ops->is_relieving)
			is_relieving |= ms->parts[i].mechanism->ops->is_relieving(ms->parts[i].mechanism);
	return is_relieving;
}

void mechanisms__settle(struct mechanisms *ms)
{
	size_t i;

	for (i = 0; i < ms->nr_parts; i++)
		if (ms->parts[i].mechanism->ops->settle)
			ms->parts[i].mechanism->ops->settle(ms->parts[i].mechanism);
}

void mechanisms__free_children(struct mechanisms *ms)
{
	size_t i;

	for (i = 0; i < ms->nr_parts; i++)
		if (ms->parts[i].mechanism->ops->free_children)
			ms->parts[i].mechanism->ops->free_children(ms->parts[i].mechanism);
}

struct mechanism_children mechanisms__children(const struct mechanisms *ms)
{
	struct mechanism_children most = { 0 }, one;
	size_t i;

	for (i = 0; i < ms->nr_parts; i++) {
		if (!ms->parts[i].mechanism->ops->children)
			continue;
		one = ms->parts[i].mechanism->ops->children(ms->parts[i].mechanism);
		if (one.nr > most.nr)
			most.nr = one.nr;
		if (one.cpu_ns > most.cpu_ns)
			most.cpu_ns = one.cpu_ns;
	}
	return most;
}

bool mechanisms__is_in_children(const struct mechanisms *ms, size_t point)
{
	return mechanisms__of(ms, point)->ops->children;
}

void mechanisms__losses(const struct mechanisms *ms, Kview__Wire__Losses *losses)
{
	size_t i;

	for (i = 0; i < ms->nr_parts; i++)
		if (ms->parts[i].mechanism->ops->losses)
			ms->parts[i].mechanism->ops->losses(ms->parts[i].mechanism, losses);
}

int mechanisms__exit_code(const struct mechanisms *ms)
{
	int code = -1;
	size_t i;

	for (i = 0; i < ms->nr_parts && code < 0; i++)
		if (ms->parts[i].mechanism->ops->exit_code)
			code = ms->parts[i].mechanism->ops->exit_code(ms->parts[i].mechanism);
	return code;
}

void mechanisms__describe(const struct mechanisms *ms, size_t point,
			  Kview__Wire__AttachedProbe *message)
{
	const struct mechanism *mechanism = mechanisms__of(ms, point);

	message->measured = mechanism->figures.metrics;
	mechanism->ops->describe(mechanism, ms->places[point].point, message);
}

bool mechanisms__file(const struct mechanisms *ms, size_t index, Kview__Wire__Binary *message)
{
	size_t i;

	for (i = 0; i < ms->nr_parts; i++) {
		const struct mechanism *mechanism = ms->parts[i].mechanism;
		size_t nr = 0;

		while (mechanism->ops->file && mechanism->ops->file(mechanism, nr, message))
			if (nr++ == index)
				return true;
		index -= nr;
	}
	return false;
}

void mechanisms__look_for_loaded(struct mechanisms *ms)
{
	size_t i;

	for (i = 0; i < ms->nr_parts; i++)
		if (ms->parts[i].mechanism->ops->look_for_loaded)
			ms->parts[i].mechanism->ops->look_for_loaded(ms->parts[i].mechanism);
}

bool mechanisms__is_awaited(const struct mechanisms *ms, size_t point)
{
	const struct mechanism *mechanism = mechanisms__of(ms, point);

	return mechanism->ops->is_awaited &&
	       mechanism->ops->is_awaited(mechanism, ms->places[point].point);
}
