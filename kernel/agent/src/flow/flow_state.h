/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEW_FLOW_STATE_H
#define KVIEW_FLOW_STATE_H

#include <libkview.h>

#include "flow/calls.h"
#include "flow/flow.h"
#include "flow/functions.h"
#include "flow/steps.h"
#include "flow/view.h"
#include "processes/processes.h"

#define FLOW_MOST_NOTES	6

/* What the reply is made of, besides the flow itself. */
struct flow_answer {
	Kview__Wire__FlowReply message;
	Kview__Wire__Process process_message;
	Kview__Wire__FlowLosses losses;
	uint32_t *numbers;		/* by function, 1 and its index in the message; 0: no step names it */
	char *threads[FLOW_MOST_KEPT];	/* their names, by call */
	char *notes[FLOW_MOST_NOTES];
};

struct call_flow {
	pid_t pid;
	int process;			/* a pidfd */
	struct ps_process started_as;
	struct kview *module;
	struct flow_functions functions;
	char root[128];
	size_t root_function;
	struct flow_view view;
	struct flow_calls calls;
	uint64_t begin_ns, end_ns, until_ns;
	int64_t realtime_offset_ns;
	uint64_t attach_ns, detach_ns, memory_bytes;
	size_t hooked;
	uint64_t under_way;		/* calls, as it began */
	uint32_t returns;
	struct flow_counts counts;
	struct flow_view_losses losses;
	enum view_others others;
	char other_name[KVIEW_NAME_SIZE];
	uint32_t other_pid;
	bool was_left;			/* by an execve, and not come back to */
	bool has_ended;			/* taken off */
	const char *note;
	struct flow_answer answer;
};

/* Frees what call_flow__reply made. */
void flow_answer__free(struct flow_answer *answer);

#endif
