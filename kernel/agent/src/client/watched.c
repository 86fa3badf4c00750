// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/error.h"
#include "client/programs.h"
#include "client/replies.h"
#include "client/watched.h"
#include "processes/launch.h"

#define MAX_WATCHED	16

struct watched {
	struct watched_opts opts;
	struct traced *processes[MAX_WATCHED];
};

struct watched *watched__new(const struct watched_opts *opts)
{
	struct watched *w = calloc(1, sizeof(*w));

	if (w)
		w->opts = *opts;
	return w;
}

void watched__free(struct watched *w)
{
	int i;

	if (!w)
		return;
	for (i = 0; i < MAX_WATCHED; i++)
		traced__free(w->processes[i]);
	free(w);
}

/* The slot of a process, or a free slot for pid 0; NULL: there is none. */
static struct traced **watched__slot(struct watched *w, pid_t pid)
{
	int i;

	for (i = 0; i < MAX_WATCHED; i++)
		if (pid ? w->processes[i] && traced__pid(w->processes[i]) == pid : !w->processes[i])
			return &w->processes[i];
	return NULL;
}

void watched__control_output(struct watched *w)
{
	bool pause = wire__must_wait(w->opts.wire, WIRE_OUTPUT);
	int i;

	for (i = 0; i < MAX_WATCHED; i++)
		if (w->processes[i])
			traced__pause_output(w->processes[i], pause);
}

static void watched__send_output(void *context, struct traced *traced, bool error_stream,
				 const uint8_t *data, size_t length)
{
	Kview__Wire__ProcessOutput output = KVIEW__WIRE__PROCESS_OUTPUT__INIT;
	struct watched *w = context;

	output.pid = traced__pid(traced);
	output.error_stream = error_stream;
	output.data = (ProtobufCBinaryData){ length, (uint8_t *)data };
	wire__send(w->opts.wire, 0, KVIEW__WIRE__FROM_AGENT__BODY_PROCESS_OUTPUT, &output);
	watched__control_output(w);
}

static void watched__exited(void *context, struct traced *traced, bool known, int status)
{
	Kview__Wire__ProcessExited exited = KVIEW__WIRE__PROCESS_EXITED__INIT;
	struct watched *w = context;

	w->opts.exiting(w->opts.context, traced, &known, &status);
	exited.pid = traced__pid(traced);
	exited.signalled = known && WIFSIGNALED(status);
	if (known)
		exited.status = exited.signalled ? WTERMSIG(status) : WEXITSTATUS(status);
	wire__send(w->opts.wire, 0, KVIEW__WIRE__FROM_AGENT__BODY_PROCESS_EXITED, &exited);
	*watched__slot(w, traced__pid(traced)) = NULL;
	traced__free(traced);
}

/* launch may be NULL. */
static struct traced *watched__add(struct watched *w, pid_t pid, struct launch *launch,
				   struct error *error)
{
	struct traced_opts opts = {
		.loop = w->opts.loop, .pid = pid, .launch = launch,
		.output = watched__send_output, .exited = watched__exited, .context = w,
	};
	struct traced **slot = watched__slot(w, 0);

	if (!slot) {
		error__set(error, ERR_TOO_MANY, "One connection watches at most %d processes.",
			   MAX_WATCHED);
		return NULL;
	}
	*slot = traced__new(&opts);
	if (!*slot)
		error__set(error, errno == ESRCH ? ERR_PROCESS_ENDED : ERR_FAILED,
			   "Process %d can't be watched: %s.", pid, strerror(errno));
	return *slot;
}

struct traced *watched__get(struct watched *w, pid_t pid, struct error *error)
{
	struct traced **slot = pid ? watched__slot(w, pid) : NULL;

	return slot ? *slot : watched__add(w, pid, NULL, error);
}

/* NULL if no program with that pid was launched here. */
static struct launch *watched__launched(struct watched *w, pid_t pid)
{
	struct traced **slot = pid ? watched__slot(w, pid) : NULL;

	return slot ? traced__launch(*slot) : NULL;
}

static void watched__refuse(struct watched *w, uint32_t id, struct error *error)
{
	reply__error(w->opts.wire, id, error);
	error__free(error);
}

static void watched__launch(struct watched *w, uint32_t id, const Kview__Wire__LaunchRequest *request)
{
	Kview__Wire__LaunchReply reply = KVIEW__WIRE__LAUNCH_REPLY__INIT;
	struct error error = { 0 };
	struct launch *launch = program__launch(request, &error);

	if (!launch)
		return watched__refuse(w, id, &error);
	if (!watched__add(w, launch->pid, launch, &error)) {
		launch__free(launch);
		free(launch);
		return watched__refuse(w, id, &error);
	}
	reply.pid = launch->pid;
	reply.executable = launch->executable ? launch->executable : (char *)"";
	wire__send(w->opts.wire, id, KVIEW__WIRE__FROM_AGENT__BODY_LAUNCH, &reply);
}

static void watched__resume(struct watched *w, uint32_t id, const Kview__Wire__ResumeRequest *request)
{
	Kview__Wire__ResumeReply reply = KVIEW__WIRE__RESUME_REPLY__INIT;
	struct error error = { 0 };

	if (program__resume(watched__launched(w, request->pid), request, &error))
		return watched__refuse(w, id, &error);
	wire__send(w->opts.wire, id, KVIEW__WIRE__FROM_AGENT__BODY_RESUME, &reply);
}

static void watched__end(struct watched *w, uint32_t id, const Kview__Wire__EndProgramRequest *request)
{
	Kview__Wire__EndProgramReply reply = KVIEW__WIRE__END_PROGRAM_REPLY__INIT;
	struct error error = { 0 };

	if (program__end(watched__launched(w, request->pid), request, &error))
		return watched__refuse(w, id, &error);
	wire__send(w->opts.wire, id, KVIEW__WIRE__FROM_AGENT__BODY_END_PROGRAM, &reply);
}

bool watched__serve(struct watched *w, const Kview__Wire__ToAgent *request)
{
	switch (request->body_case) {
	case KVIEW__WIRE__TO_AGENT__BODY_LAUNCH:
		watched__launch(w, request->request_id, request->launch);
		return true;
	case KVIEW__WIRE__TO_AGENT__BODY_RESUME:
		watched__resume(w, request->request_id, request->resume);
		return true;
	case KVIEW__WIRE__TO_AGENT__BODY_END_PROGRAM:
		watched__end(w, request->request_id, request->end_program);
		return true;
	default:
		return false;
	}
}
