// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "client/asides.h"
#include "client/flowing.h"
#include "client/inquiries.h"
#include "client/joinings.h"
#include "client/replies.h"
#include "client/surveying.h"

struct inquiries {
	struct wire *wire;
	struct surveying *surveying;
	struct flowing *flowing;
	struct joinings *joinings;
	struct asides *asides;
};

struct inquiries *inquiries__new(struct loop *loop, struct wire *wire, struct calibration *calibration, struct postponed *postponed)
{
	struct inquiries *i = calloc(1, sizeof(*i));

	if (!i)
		return NULL;
	i->wire = wire;
	i->surveying = surveying__new(loop, wire);
	i->flowing = flowing__new(loop, wire);
	i->joinings = joinings__new(loop, wire);
	i->asides = asides__new(loop, wire, calibration, postponed);
	if (i->surveying && i->flowing && i->joinings && i->asides)
		return i;
	inquiries__free(i);
	return NULL;
}

void inquiries__free(struct inquiries *i)
{
	if (!i)
		return;
	surveying__free(i->surveying);
	flowing__free(i->flowing);
	joinings__free(i->joinings);
	asides__free(i->asides);
	free(i);
}

void inquiries__break_off(struct inquiries *i)
{
	surveying__break_off(i->surveying);
	flowing__break_off(i->flowing);
}

bool inquiries__are_on(const struct inquiries *i)
{
	return surveying__is_on(i->surveying) || flowing__is_on(i->flowing);
}

/* It would be in the figures of a recording, and a recording in what it measures. */
static void inquiries__measure_way(struct inquiries *i, const Kview__Wire__ToAgent *request, bool records)
{
	struct error error = { 0 };

	if (!records && !inquiries__are_on(i)) {
		asides__serve(i->asides, request);
		return;
	}
	error__set(&error, ERR_BUSY, "This connection records something: stop that first, or open another one.");
	reply__error(i->wire, request->request_id, &error);
	error__free(&error);
}

bool inquiries__serve(struct inquiries *i, const Kview__Wire__ToAgent *request, bool records)
{
	uint32_t id = request->request_id;

	switch (request->body_case) {
	case KVIEW__WIRE__TO_AGENT__BODY_SURVEY:
		surveying__start(i->surveying, id, request->survey, records || flowing__is_on(i->flowing));
		return true;
	case KVIEW__WIRE__TO_AGENT__BODY_END_SURVEY:
		surveying__end(i->surveying, id);
		return true;
	case KVIEW__WIRE__TO_AGENT__BODY_FLOW:
		flowing__start(i->flowing, id, request->flow, records || surveying__is_on(i->surveying));
		return true;
	case KVIEW__WIRE__TO_AGENT__BODY_END_FLOW:
		flowing__end(i->flowing, id);
		return true;
	case KVIEW__WIRE__TO_AGENT__BODY_CHANGE_VIEW:
		joinings__serve(i->joinings, id, request->change_view);
		return true;
	case KVIEW__WIRE__TO_AGENT__BODY_MEASURE_WAY:
		inquiries__measure_way(i, request, records);
		return true;
	default:
		return asides__serve(i->asides, request);
	}
}
