// SPDX-License-Identifier: GPL-2.0
#include "client/postponed.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "client/asides.h"
#include "client/replies.h"
#include "client/wire.h"

/* Who asks nothing more is answered for no longer. */
#define FINISH_NS	60000000000ULL
#define FINISH_LOOK_NS	100000000ULL

struct late {
	struct late *next;
	Kview__Wire__ToAgent *request;
	size_t bytes;
};

struct postponed {
	struct postponed_opts opts;
	struct loop_source source;	/* always ready; watched while one may be served */
	struct late *first, **last;
	size_t nr, bytes;
	int answering;
	bool measuring, wakes, finishing, was_late;
	struct loop_source looks;	/* while finishing */
	uint64_t finish_ns;
};

/* It changes nothing, and uses nothing that another thread may: whoever asks is answered at any time. */
static bool only_asks(const Kview__Wire__ToAgent *request)
{
	switch (request->body_case) {
	case KVIEW__WIRE__TO_AGENT__BODY_LIST_PROCESSES:
	case KVIEW__WIRE__TO_AGENT__BODY_LIST_MAPPED_FILES:
	case KVIEW__WIRE__TO_AGENT__BODY_LIST_VIEWS:
	case KVIEW__WIRE__TO_AGENT__BODY_LIST_SITES:
	case KVIEW__WIRE__TO_AGENT__BODY_FIND_FUNCTIONS:
	case KVIEW__WIRE__TO_AGENT__BODY_FIND_POINTS:
		return true;
	default:
		return false;
	}
}

static bool begins_to_measure(const Kview__Wire__ToAgent *request)
{
	switch (request->body_case) {
	case KVIEW__WIRE__TO_AGENT__BODY_START_RECORDING:
	case KVIEW__WIRE__TO_AGENT__BODY_SURVEY:
	case KVIEW__WIRE__TO_AGENT__BODY_FLOW:
		return true;
	default:
		return aside__measures(request);
	}
}

static bool has_to_wait(const struct postponed *p, const Kview__Wire__ToAgent *request)
{
	return p->measuring && begins_to_measure(request);
}

static bool is_due(const struct postponed *p)
{
	return p->first && !has_to_wait(p, p->first->request);
}

static void watch(struct postponed *p)
{
	loop__watch(p->opts.loop, &p->source, p->wakes || is_due(p) ? EPOLLIN : 0);
}

void postponed__measuring(struct postponed *p, bool is_on)
{
	p->measuring = is_on;
	watch(p);
}

void postponed__wake(struct postponed *p)
{
	p->wakes = true;
	watch(p);
}

static bool is_idle(const struct postponed *p)
{
	return !p->first && !p->answering;
}

static void finish(const struct postponed *p)
{
	if (p->finishing && is_idle(p))
		loop__stop(p->opts.loop);
}

void postponed__answering(struct postponed *p, int more)
{
	p->answering += more;
	finish(p);
}

static struct late *take(struct postponed *p)
{
	struct late *late = p->first;

	p->first = late->next;
	p->nr--;
	p->bytes -= late->bytes;
	if (!p->first)
		p->last = &p->first;
	return late;
}

static void late__free(struct late *late)
{
	kview__wire__to_agent__free_unpacked(late->request, NULL);
	free(late);
}

static void refuse(const struct postponed *p, uint32_t request_id, enum error_code code, const char *why)
{
	struct error error = { 0 };

	error__set(&error, code, "%s", why);
	reply__refuse(p->opts.wire, request_id, &error);
}

/* The wire does not do it by itself any more. */
static void postponed__looks(void *context, uint32_t events)
{
	struct postponed *p = context;

	timer__expired(p->looks.fd);
	wire__flush(p->opts.wire, 0);
	p->was_late = clock__now_ns() > p->finish_ns;
	if (p->was_late)
		log__line("what was asked before the input ended took too long: it is not answered");
	if (p->was_late || !wire__is_heard(p->opts.wire))
		loop__stop(p->opts.loop);
}

bool postponed__finishes(struct postponed *p)
{
	p->finish_ns = clock__now_ns() + FINISH_NS;
	p->finishing = !is_idle(p) && wire__is_heard(p->opts.wire) && p->looks.fd < 0 &&
		       !loop__tick(p->opts.loop, &p->looks, FINISH_LOOK_NS, FINISH_LOOK_NS, postponed__looks, p);
	return p->finishing;
}

bool postponed__was_late(const struct postponed *p)
{
	return p->was_late;
}

/* One at a time, as of those that come in. */
static void postponed__due(void *context, uint32_t events)
{
	struct postponed *p = context;
	struct late *late = is_due(p) ? take(p) : NULL;

	if (p->wakes) {
		p->wakes = false;
		p->opts.woken(p->opts.context);
	}
	if (late) {
		p->opts.serve(p->opts.context, late->request);
		late__free(late);
	}
	/* What that began has no end that came behind it. */
	if (p->finishing && !is_due(p))
		p->opts.woken(p->opts.context);
	watch(p);
	finish(p);
}

struct postponed *postponed__new(const struct postponed_opts *opts)
{
	struct postponed *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->opts = *opts;
	p->last = &p->first;
	p->looks.fd = -1;
	p->source = (struct loop_source){ eventfd(1, EFD_CLOEXEC), postponed__due, p, 0 };
	if (p->source.fd >= 0)
		return p;
	free(p);
	return NULL;
}

void postponed__free(struct postponed *p)
{
	if (!p)
		return;
	while (p->first)
		late__free(take(p));
	loop__close(p->opts.loop, &p->source);
	loop__close(p->opts.loop, &p->looks);
	free(p);
}

bool postponed__takes(struct postponed *p, const Kview__Wire__ToAgent *request)
{
	struct late *late;
	size_t bytes;

	if (only_asks(request) || (!loop__is_breathing() && !p->first && !has_to_wait(p, request)))
		return false;
	bytes = protobuf_c_message_get_packed_size(&request->base);
	if (p->nr == WAITING_MOST || bytes > WAITING_BYTES_MOST - p->bytes) {
		refuse(p, request->request_id, ERR_BUSY, "Too many requests wait for one that takes long: ask again when it is answered.");
		return true;
	}
	late = calloc(1, sizeof(*late));
	if (late)
		late->request = (Kview__Wire__ToAgent *)wire__copy(&request->base);
	if (!late || !late->request) {
		/* As elsewhere where a message would be missing. */
		log__line("out of memory");
		_exit(1);
	}
	late->bytes = bytes;
	p->bytes += bytes;
	p->nr++;
	*p->last = late;
	p->last = &late->next;
	watch(p);
	return true;
}
