// SPDX-License-Identifier: GPL-2.0
/* Takes out of a process what a recording left in it that was killed. */
#include "base/error.h"
#include "client/clean.h"
#include "client/replies.h"
#include "mechanism/mechanism.h"
#include "permission/permission.h"

static int clean(pid_t pid, uint64_t *restored, bool is_recording, struct error *error)
{
	int err;

	if (pid <= 0)
		return error__set(error, ERR_BAD_REQUEST, "No process was named.");
	if (is_recording)
		return error__set(error, ERR_BUSY, "This connection records: stop that first.");
	err = permission__hold(pid, error) || permission__change(error) || mechanism__clean(pid, restored, error) ? -1 : 0;
	permission__release();
	return err;
}

void clean__serve(struct wire *wire, uint32_t request_id, const Kview__Wire__CleanRequest *request, bool is_recording)
{
	Kview__Wire__CleanReply reply = KVIEW__WIRE__CLEAN_REPLY__INIT;
	struct error error = { 0 };

	if (clean(request->pid, &reply.restored, is_recording, &error)) {
		reply__error(wire, request_id, &error);
		error__free(&error);
		return;
	}
	wire__send(wire, request_id, KVIEW__WIRE__FROM_AGENT__BODY_CLEAN, &reply);
}
