/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One recording: from the request, over deltas and packets, to its end.
 *
 *	recording__start  ->  recording__take_delta, recording__drain ...  ->  recording__stop
 */
#ifndef KVIEW_RECORDING_H
#define KVIEW_RECORDING_H

#include "agent.pb-c.h"
#include "base/error.h"

#define RECORDING_MAX_FUNCTIONS	1024

struct calibration;
struct cost_to_others;
struct recording;
struct scope_members;

/* Where what is recorded goes.  Messages are valid during the call. */
struct recording_sink {
	/* As wire__send. */
	void (*send)(void *context, uint32_t request_id,
		     Kview__Wire__FromAgent__BodyCase body_case, void *body);
	/* While true, events stay in the kernel's buffer, and figures are not taken. */
	bool (*must_events_wait)(void *context);
	bool (*must_figures_wait)(void *context);
	void *context;
};

struct left_points;

struct recording_prepared {
	const struct error *no_view;	/* as in struct mechanism_load */
	struct cost_to_others *others;	/* its rounds before are done; the recording takes it over.  NULL: nobody asks for it */
	struct left_points *left;	/* by other attempts */
};

/*
 * Of a request that was checked (request.h): looks at the process, calibrates, attaches, and
 * answers with StartRecordingReply under request_id and with the token, which may be empty.  latest
 * learns what probes cost.
 * NULL: error says why, and nothing is attached.
 */
struct recording *recording__start(const Kview__Wire__StartRecordingRequest *request,
				   uint32_t request_id, ProtobufCBinaryData token,
				   const struct recording_sink *sink, struct recording_prepared *prepared,
				   struct calibration *latest, struct error *error);
/* One attempt, for attempts.c; on failure what was prepared is as before, and left says whether another one is worth it. */
struct recording *recording__try(const Kview__Wire__StartRecordingRequest *request, uint32_t request_id, ProtobufCBinaryData token,
				 const struct recording_sink *sink, struct recording_prepared *prepared,
				 struct calibration *latest, struct error *error);

uint32_t recording__interval_ms(const struct recording *recording);
/*
 * Readable when the process has children that pay for the probes, or has other code than before (-1: nobody asks),
 * and what to do then, and once after the start.  Not NULL: the recording has to end, and why.
 */
int recording__changes_fd(const struct recording *recording);
const char *recording__follow_processes(struct recording *recording);
/* Readable when events wait, or -1 without events. */
int recording__events_fd(const struct recording *recording);

/* To be called before recording__watch_cost.  NULL, or why the recording has to end as FAILED: see spending.h. */
const char *recording__watch_probes(struct recording *recording);
/*
 * Looks at what the probes cost, every BUDGET_INTERVAL_NS, and takes off what is beyond the
 * budget.  NULL, or why the recording has to end as OVER_BUDGET; valid until recording__stop.
 */
const char *recording__watch_cost(struct recording *recording);
/* Sends what was counted since the last delta; nothing while figures have to wait. */
void recording__take_delta(struct recording *recording);
/* Sends events; with flush also those of packets that are not full. */
void recording__drain(struct recording *recording, bool flush);

/* Detaches, sends everything that is left and RecordingEnded, and frees. */
void recording__stop(struct recording *recording, Kview__Wire__RecordingEnded__Reason reason,
		     const char *message);

/* Of a cgroup: who is in it, see scope_members.h; NULL: one process is measured. */
const struct scope_members *recording__members(const struct recording *recording);

/* As wait() has it, or -1 if not known; to be asked before recording__stop. */
int recording__exit_code(const struct recording *recording);

#endif
