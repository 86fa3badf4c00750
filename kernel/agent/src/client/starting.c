// SPDX-License-Identifier: GPL-2.0
#include "client/starting.h"

#include <stdlib.h>

#include "client/replies.h"
#include "client/trying.h"
#include "mechanism/view_trial.h"

struct starting {
	struct loop *loop;
	struct wire *wire;
	starting__start *start;
	void *context;
	struct trying trying;
	Kview__Wire__StartRecordingRequest *request;	/* a copy: the wire's own is gone by then */
	uint32_t request_id;
};

struct starting *starting__new(struct loop *loop, struct wire *wire, starting__start *start, void *context)
{
	struct starting *s = calloc(1, sizeof(*s));

	if (s)
		*s = (struct starting){ .loop = loop, .wire = wire, .start = start, .context = context };
	return s;
}

static void let_go(struct starting *s)
{
	trying__break_off(&s->trying);
	if (s->request)
		kview__wire__start_recording_request__free_unpacked(s->request, NULL);
	s->request = NULL;
}

void starting__free(struct starting *s)
{
	if (s)
		let_go(s);
	free(s);
}

static Kview__Wire__StartRecordingRequest *copy_of(const Kview__Wire__StartRecordingRequest *request)
{
	uint8_t *bytes = malloc(kview__wire__start_recording_request__get_packed_size(request) + 1);
	Kview__Wire__StartRecordingRequest *copy = NULL;

	if (bytes)
		copy = kview__wire__start_recording_request__unpack(NULL, kview__wire__start_recording_request__pack(request, bytes), bytes);
	free(bytes);
	return copy;
}

static void starting__known(void *context, const struct error *no_view)
{
	struct starting *s = context;

	s->start(s->context, s->request_id, s->request, no_view);
	let_go(s);
}

void starting__begin(struct starting *s, uint32_t request_id, const Kview__Wire__StartRecordingRequest *request)
{
	struct error error = { 0 };

	if (!view_trial__is_wanted(request))
		return s->start(s->context, request_id, request, NULL);
	s->request = copy_of(request);
	s->request_id = request_id;
	if (s->request)
		return trying__begin(&s->trying, s->loop, request->pid, starting__known, s);
	error__set(&error, ERR_FAILED, "Out of memory.");
	reply__error(s->wire, request_id, &error);
}

bool starting__is_on(const struct starting *s)
{
	return s->request;
}

bool starting__stop(struct starting *s)
{
	struct error error = { 0 };

	if (!s->request)
		return false;
	error__set(&error, ERR_FAILED, "The recording was stopped before it began: its process was within an execve, and could not come into a kernel view.");
	reply__error(s->wire, s->request_id, &error);
	let_go(s);
	return true;
}
