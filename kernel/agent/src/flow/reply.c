// SPDX-License-Identifier: GPL-2.0
/* What a flow found, as a message. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message_list.h"
#include "flow/flow_state.h"
#include "lookup/names.h"
#include "recording/provenance.h"

/* What a message may be long, see frames.h, less what stands around the steps. */
#define MOST_BYTES	(15U << 20)

static void call__free(Kview__Wire__FlowCall *call)
{
	free(call->steps);
	free(call->after_ns);
	free(call->functions);
	free(call->causes);
	free(call->run_queue_ns);
}

void flow_answer__free(struct flow_answer *answer)
{
	Kview__Wire__FlowReply *message = &answer->message;
	size_t i;

	for (i = 0; i < message->n_calls; i++)
		call__free(message->calls[i]);
	for (i = 0; i < FLOW_MOST_KEPT; i++)
		free(answer->threads[i]);
	for (i = 0; i < FLOW_MOST_NOTES; i++)
		free(answer->notes[i]);
	free(message->calls);
	free(message->functions);
	free(answer->numbers);
	*answer = (struct flow_answer){ 0 };
}

/* Its index among the functions that the message names. */
static uint32_t function__index(struct call_flow *f, uint32_t function)
{
	Kview__Wire__FlowReply *message = &f->answer.message;

	if (function >= f->functions.nr)
		function = f->root_function;
	if (!f->answer.numbers[function]) {
		message->functions[message->n_functions++] = (char *)f->functions.symbols[function];
		f->answer.numbers[function] = message->n_functions;
	}
	return f->answer.numbers[function] - 1;
}

static Kview__Wire__FlowStep step__of(enum flow_kind kind)
{
	switch (kind) {
	case FLOW_KIND_ENTER:
		return KVIEW__WIRE__FLOW_STEP__FLOW_ENTER;
	case FLOW_KIND_LEAVE:
		return KVIEW__WIRE__FLOW_STEP__FLOW_LEAVE;
	case FLOW_KIND_GONE:
		return KVIEW__WIRE__FLOW_STEP__FLOW_GONE;
	case FLOW_KIND_OUT:
		return KVIEW__WIRE__FLOW_STEP__FLOW_OUT;
	default:
		return KVIEW__WIRE__FLOW_STEP__FLOW_IN;
	}
}

static int call__fill_steps(struct call_flow *f, Kview__Wire__FlowCall *call, const struct flow_steps *steps)
{
	size_t i;

	call->n_steps = call->n_after_ns = call->n_functions = call->n_causes = call->n_run_queue_ns = steps->nr;
	call->steps = malloc((steps->nr + 1) * sizeof(*call->steps));
	call->after_ns = malloc((steps->nr + 1) * sizeof(*call->after_ns));
	call->functions = malloc((steps->nr + 1) * sizeof(*call->functions));
	call->causes = malloc((steps->nr + 1) * sizeof(*call->causes));
	call->run_queue_ns = malloc((steps->nr + 1) * sizeof(*call->run_queue_ns));
	if (!call->steps || !call->after_ns || !call->functions || !call->causes || !call->run_queue_ns)
		return -1;
	for (i = 0; i < steps->nr; i++) {
		const struct flow_step *step = &steps->all[i];
		bool is_function = step->kind != FLOW_KIND_OUT && step->kind != FLOW_KIND_IN;

		call->steps[i] = step__of(step->kind);
		call->after_ns[i] = step->after_ns;
		call->functions[i] = is_function ? function__index(f, step->function) : 0;
		call->causes[i] = (Kview__Wire__Metric)step->cause;
		call->run_queue_ns[i] = step->queue_ns;
	}
	return 0;
}

static int call__fill(struct call_flow *f, size_t at, const struct flow_buffer *buffer)
{
	Kview__Wire__FlowCall *call = f->answer.message.calls[at];
	char thread[FLOW_COMM + 1] = "";
	struct flow_steps steps;
	int failed;

	memcpy(thread, buffer->comm, FLOW_COMM);
	f->answer.threads[at] = name__printable(thread);
	if (!f->answer.threads[at])
		return -1;
	call->tid = buffer->tid;
	call->thread = f->answer.threads[at];
	call->begin_ns = buffer->begin_ns;
	call->wall_ns = buffer->wall_ns;
	call->on_cpu_ns = buffer->off_ns < buffer->wall_ns ? buffer->wall_ns - buffer->off_ns : 0;
	call->result = buffer->result;
	call->cut_steps = buffer->cut_steps;
	call->unseen_switches = buffer->unseen_switches;
	failed = flow_steps__read(&steps, buffer->words, buffer->nr < FLOW_WORDS ? buffer->nr : FLOW_WORDS,
				  buffer->cut_steps) ||
		 call__fill_steps(f, call, &steps);
	f->answer.losses.missed_returns += steps.missed_returns;
	flow_steps__free(&steps);
	return failed;
}

static int fill_calls(struct call_flow *f, Kview__Wire__FlowReply *reply)
{
	const struct flow_buffer *kept[FLOW_MOST_KEPT];
	size_t nr = flow_calls__kept(&f->calls, kept), i;

	f->answer.numbers = calloc(f->functions.nr, sizeof(*f->answer.numbers));
	reply->functions = malloc(f->functions.nr * sizeof(*reply->functions));
	reply->calls = message_list__new(nr, sizeof(**reply->calls));
	if (!f->answer.numbers || !reply->functions || !reply->calls)
		return -1;
	for (i = 0; i < nr; i++)
		kview__wire__flow_call__init(reply->calls[i]);
	reply->n_calls = nr;
	reply->end_ns = flow_calls__end_ns(kept, nr, f->end_ns);
	for (i = 0; i < nr; i++)
		if (call__fill(f, i, kept[i]))
			return -1;
	return 0;
}

static void call__cut(Kview__Wire__FlowCall *call, size_t most)
{
	if (call->n_steps <= most)
		return;
	call->cut_steps += call->n_steps - most;
	call->n_steps = call->n_after_ns = call->n_functions = call->n_causes = call->n_run_queue_ns = most;
}

/* What does not fit into a message is left out at the ends of calls, and said to be. */
static void fit_message(Kview__Wire__FlowReply *reply)
{
	size_t most = 2 * FLOW_WORDS, i;

	while (kview__wire__flow_reply__get_packed_size(reply) > MOST_BYTES && most > 1) {
		most /= 2;
		for (i = 0; i < reply->n_calls; i++)
			call__cut(reply->calls[i], most);
	}
}

__attribute__((format(printf, 2, 3)))
static void note(struct call_flow *f, const char *format, ...)
{
	Kview__Wire__FlowReply *reply = &f->answer.message;
	va_list args;

	va_start(args, format);
	if (reply->n_notes < FLOW_MOST_NOTES && vasprintf(&f->answer.notes[reply->n_notes], format, args) >= 0)
		reply->n_notes++;
	va_end(args);
}

/* As the manual calls them, and what C libraries make of them instead: by the function of the first. */
static const char *const instead[][2] = {
	{ "__x64_sys_accept", "accept4" }, { "__x64_sys_clone", "clone3" }, { "__x64_sys_creat", "openat" },
	{ "__x64_sys_dup2", "dup3" }, { "__x64_sys_epoll_create", "epoll_create1" }, { "__x64_sys_epoll_wait", "epoll_pwait" },
	{ "__x64_sys_fork", "clone" }, { "__x64_sys_mkdir", "mkdirat" }, { "__x64_sys_nanosleep", "clock_nanosleep" },
	{ "__x64_sys_newfstat", "newfstatat" }, { "__x64_sys_newlstat", "newfstatat" }, { "__x64_sys_newstat", "newfstatat" },
	{ "__x64_sys_open", "openat" }, { "__x64_sys_pipe", "pipe2" }, { "__x64_sys_poll", "ppoll" },
	{ "__x64_sys_rename", "renameat2" }, { "__x64_sys_select", "pselect6" },
	{ "__x64_sys_unlink", "unlinkat" }, { "__x64_sys_vfork", "clone3" },
};

static void note_instead(struct call_flow *f)
{
	size_t i;

	if (f->counts.calls || f->counts.lost || f->counts.unended || f->under_way)
		return;
	for (i = 0; i < sizeof(instead) / sizeof(*instead); i++)
		if (!strcmp(instead[i][0], f->root))
			note(f, "No call of it was seen: the process may make the system call %s instead, as C libraries do.",
			     instead[i][1]);
}

/* What the losses tell is not said again. */
static void fill_notes(struct call_flow *f)
{
	f->answer.message.notes = f->answer.notes;
	if (f->others == VIEW_OTHERS_SEEN)
		note(f, "The process was in a view of %s (process %u) as well: the times hold what that one's programs took.",
		     f->other_name, f->other_pid);
	else if (f->others == VIEW_OTHERS_UNKNOWN)
		note(f, "Whether the process was in somebody else's view as well can't be known: if so, the times hold what that one's programs took.");
	if (f->was_left)
		note(f, "After an execve the process could not come back into its view of the kernel, for want of memory or as others had changed that text: calls after that are missing.");
	if (f->losses.missed_returns)
		note(f, "%llu calls of functions were not watched to their return, as more than %u were under way at a time or their stack was nearly full: they end with the call of their caller.",
		     (unsigned long long)f->losses.missed_returns, f->returns);
	note_instead(f);
}

static void fill_losses(struct call_flow *f)
{
	Kview__Wire__FlowLosses *losses = &f->answer.losses;

	losses->calls = f->counts.lost;
	losses->nested_functions = f->losses.nested_functions;
	losses->nested_switches = f->counts.unseen_switches;
	losses->unended_calls = f->counts.unended;
	losses->calls_under_way = f->under_way;
	losses->interrupt_functions = f->losses.interrupt_functions + f->counts.elsewhere;
	f->answer.message.losses = losses;
}

Kview__Wire__FlowReply *call_flow__reply(struct call_flow *f)
{
	Kview__Wire__FlowReply *reply = &f->answer.message;
	size_t listed = f->functions.traceable ? f->functions.traceable : f->functions.nr + f->functions.left_out;

	kview__wire__flow_reply__init(reply);
	kview__wire__flow_losses__init(&f->answer.losses);
	if (fill_calls(f, reply))
		return NULL;
	fill_losses(f);
	fill_notes(f);
	provenance__process(&f->answer.process_message, &f->started_as);
	reply->process = &f->answer.process_message;
	reply->begin_ns = f->begin_ns;
	reply->realtime_offset_ns = f->realtime_offset_ns;
	reply->root = f->root;
	reply->calls_seen = f->counts.calls;
	reply->wall_ns = f->counts.wall_ns;
	reply->hooked = f->hooked;
	reply->not_hooked = listed > f->hooked ? listed - f->hooked : 0;
	reply->attach_ns = f->attach_ns;
	reply->detach_ns = f->detach_ns;
	reply->memory_bytes = f->memory_bytes;
	reply->note = (char *)(f->note ? f->note : "");
	fit_message(reply);
	return reply;
}
