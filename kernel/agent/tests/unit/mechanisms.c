// SPDX-License-Identifier: GPL-2.0
/*
 * Several mechanisms share the points of a recording: each is asked about its own, by its own ids, and
 * all are attached or none.  The mechanisms are the test's own; tests/mixed_test.py has the agent's.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "mechanism/mechanisms_state.h"
#include "mechanism/shared_view.h"

#define PARTS	2
#define POINTS	4

/* What the operations were asked for: of each mechanism. */
struct own {
	struct mechanism base;
	bool is_attached, is_measuring, refuses, is_revoked;
	uint32_t dropped[POINTS], kept[POINTS];
	size_t nr_dropped, nr_kept, drops;
	uint32_t relieves, comes_off;	/* an id of its own; POINTS: none */
	struct mechanism_children children;
	int exit_code;
};

static struct own own[PARTS];

static struct own *own__of(const struct mechanism *mechanism)
{
	return (struct own *)mechanism;
}

static int attach(struct mechanism *mechanism, struct error *error)
{
	own__of(mechanism)->is_attached = !own__of(mechanism)->refuses;
	return own__of(mechanism)->refuses ? error__set(error, ERR_FAILED, "It refuses.") : 0;
}

static int begin(struct mechanism *mechanism, struct error *error)
{
	check(own[0].is_attached && own[1].is_attached, "none begins before all are attached", 1);
	own__of(mechanism)->is_measuring = !own__of(mechanism)->is_revoked;
	return own__of(mechanism)->is_revoked ? error__set(error, ERR_FAILED, "Not any more.") : 0;
}

static void end(struct mechanism *mechanism)
{
	own__of(mechanism)->is_measuring = false;
}

static void detach(struct mechanism *mechanism)
{
	check(!own[0].is_measuring || !own[1].is_measuring || own[1].is_revoked,
	      "none is detached while all measure", 1);
	own__of(mechanism)->is_attached = own__of(mechanism)->is_measuring = false;
}

static int drop(struct mechanism *mechanism, const uint32_t *dropped, size_t nr_dropped,
		const uint32_t *kept, size_t nr_kept, struct error *error)
{
	struct own *o = own__of(mechanism);

	memcpy(o->dropped, dropped, nr_dropped * sizeof(*dropped));
	memcpy(o->kept, kept, nr_kept * sizeof(*kept));
	o->nr_dropped = nr_dropped;
	o->nr_kept = nr_kept;
	o->drops++;
	return 0;
}

static size_t relieve(struct mechanism *mechanism, uint32_t *points, size_t nr, uint32_t *kept)
{
	size_t left = 0, nr_kept = 0, i;

	for (i = 0; i < nr; i++) {
		if (points[i] == own__of(mechanism)->relieves)
			kept[nr_kept++] = points[i];
		else
			points[left++] = points[i];
	}
	return left;
}

static const char *follow(struct mechanism *mechanism, struct mechanism_off *off)
{
	struct own *o = own__of(mechanism);

	off->nr = o->comes_off < POINTS;
	off->points[0] = o->comes_off;
	o->comes_off = POINTS;
	snprintf(off->why, sizeof(off->why), "%s", mechanism->beside);
	return NULL;
}

static struct mechanism_children children(const struct mechanism *mechanism)
{
	return own__of(mechanism)->children;
}

static int exit_code(const struct mechanism *mechanism)
{
	return own__of(mechanism)->exit_code;
}

static uint64_t beside_ns(const struct mechanism *mechanism)
{
	return 5;
}

/* The first can all, the second only what each has to. */
static const struct mechanism_ops ops[PARTS] = {
	{ .attach = attach, .begin = begin, .end = end, .detach = detach, .drop = drop,
	  .relieve = relieve, .follow = follow, .children = children, .exit_code = exit_code,
	  .beside_ns = beside_ns },
	{ .attach = attach, .begin = begin, .end = end, .detach = detach, .drop = drop,
	  .children = children, .exit_code = exit_code },
};

/* Points 0 and 2 are the first mechanism's, 1 and 3 the second's. */
static struct mechanisms *mechanisms__mixed(void)
{
	static struct mechanism_part parts[PARTS];
	static struct mechanism_place places[POINTS];
	static uint32_t ids[PARTS][POINTS], dropped[PARTS][POINTS], kept[PARTS][POINTS];
	static struct mechanisms mechanisms;
	static struct shared_view view;
	size_t i;

	shared_view__init(&view, getpid(), KVIEW__WIRE__FILTER__FILTER_IN);
	memset(own, 0, sizeof(own));
	for (i = 0; i < PARTS; i++) {
		own[i].base.ops = &ops[i];
		own[i].base.beside = own[i].base.note = i ? "second" : "first";
		own[i].relieves = own[i].comes_off = POINTS;
		own[i].exit_code = -1;
		parts[i] = (struct mechanism_part){
			.mechanism = &own[i].base, .points = ids[i], .dropped = dropped[i], .kept = kept[i] };
	}
	for (i = 0; i < POINTS; i++) {
		places[i] = (struct mechanism_place){ i % PARTS, i / PARTS };
		ids[i % PARTS][i / PARTS] = i;
	}
	mechanisms = (struct mechanisms){
		.view = &view, .nr = POINTS, .parts = parts, .nr_parts = PARTS, .places = places };
	return &mechanisms;
}

static void all_or_none(void)
{
	struct mechanisms *ms = mechanisms__mixed();
	struct error error = { 0 };

	check(!mechanisms__attach(ms, &error) && own[0].is_measuring && own[1].is_measuring && ms->begin_ns,
	      "all are attached and measure", 1);
	mechanisms__detach(ms);
	check(!own[0].is_attached && !own[1].is_attached && ms->end_ns >= ms->begin_ns, "all are detached", 1);
	own[1].refuses = true;
	check(mechanisms__attach(ms, &error) && !own[0].is_attached && !strcmp(error.message, "It refuses."),
	      "where one can't be attached none is, and its reason is told", 1);
	error__free(&error);
	own[1].refuses = false;
	own[1].is_revoked = true;
	check(mechanisms__attach(ms, &error) && !own[0].is_attached && !own[1].is_attached,
	      "nor where one can't begin", 1);
	error__free(&error);
}

static void drops(void)
{
	const uint32_t dropped[] = { 3, 0 }, kept[] = { 1, 2 };
	struct mechanisms *ms = mechanisms__mixed();
	struct error error = { 0 };

	check(!mechanisms__drop(ms, dropped, 2, kept, 2, &error), "points of both come off", 1);
	check(own[0].nr_dropped == 1 && own[0].dropped[0] == 0 && own[0].nr_kept == 1 && own[0].kept[0] == 1,
	      "the first mechanism's by its own ids", own[0].dropped[0]);
	check(own[1].nr_dropped == 1 && own[1].dropped[0] == 1 && own[1].nr_kept == 1 && own[1].kept[0] == 0,
	      "and the second's", own[1].dropped[0]);
	check(!mechanisms__drop(ms, dropped, 1, kept, 2, &error) && own[1].drops == 2 && own[0].drops == 1,
	      "a mechanism that loses no point is left alone", own[0].drops);
}

static void relief(void)
{
	uint32_t points[POINTS] = { 3, 2, 0 }, kept[POINTS] = { 0 };
	const uint32_t all[] = { 0, 1, 2, 3 };
	struct mechanisms *ms = mechanisms__mixed();
	struct error error = { 0 };

	own[0].relieves = 1;
	check(mechanisms__relieve(ms, points, 3, kept) == 2 && kept[0] == 2, "a point that may stay is told by the recording's id", kept[0]);
	check(points[0] + points[1] == 3 && points[0] * points[1] == 0, "and those that may not", points[0] + points[1]);
	check(!mechanisms__drop(ms, NULL, 0, all, 4, &error) && own[0].drops == 1 && !own[1].drops,
	      "the next drop gives up what made it dear, also without other points", own[0].drops);
}

static void follows(void)
{
	struct mechanism_off off = { .points = calloc(POINTS, sizeof(uint32_t)) };
	struct mechanisms *ms = mechanisms__mixed();

	own[0].comes_off = 1;
	mechanisms__follow(ms, &off);
	check(off.nr == 1 && off.points[0] == 2 && !strcmp(off.why, "first"),
	      "what has to come off is told by the recording's id, with its mechanism's reason", off.points[0]);
	mechanisms__follow(ms, &off);
	check(!off.nr, "once", off.nr);
	free(off.points);
}

static void sums(void)
{
	struct mechanisms *ms = mechanisms__mixed();
	struct mechanism_children most;

	own[0].children = (struct mechanism_children){ 7, 100 };
	own[1].children = (struct mechanism_children){ 3, 400 };
	most = mechanisms__children(ms);
	check(most.nr == 7 && most.cpu_ns == 400, "children that several may have probes in count once, at most", most.nr);
	check(mechanisms__exit_code(ms) == -1, "no exit code is known", 1);
	own[1].exit_code = 256;
	check(mechanisms__exit_code(ms) == 256, "what one knows is known", mechanisms__exit_code(ms));
	check(mechanisms__beside_ns(ms, 0) + mechanisms__beside_ns(ms, 1) == 5, "what one does not count is nothing",
	      mechanisms__beside_ns(ms, 0));
	check(!strcmp(mechanisms__note(ms), "first second"), mechanisms__note(ms), 1);
	check(!strcmp(mechanisms__beside(ms, 1), "second"), "what it is, each says of itself", 1);
	check(mechanisms__part_of(ms, 0) == ms->places[0].part, "a point's mechanism", ms->places[0].part);
}

/* What a mechanism says may name another process, of which a client that gets such bytes takes the agent for none. */
static void notes(void)
{
	struct mechanisms *ms = mechanisms__mixed();

	own[0].base.filter_note = "Filtered.";
	own[1].base.filter_note = "Process 7 is in a view of k\xff" "ctl\n.";
	check(!strcmp(mechanisms__filter_note(ms), "Filtered. Process 7 is in a view of k\\xffctl\\x0a."),
	      mechanisms__filter_note(ms), 1);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	all_or_none();
	drops();
	relief();
	follows();
	sums();
	notes();
	return failed;
}
