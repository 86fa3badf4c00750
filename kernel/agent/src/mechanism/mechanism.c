// SPDX-License-Identifier: GPL-2.0
#include "mechanism/mechanism.h"
#include "mechanism/syscall/syscall.h"
#include "mechanism/trap/trap.h"

static const struct mechanism_kind *const kinds[] = { &trap_kind, &syscall_kind };

static bool kind__serves_all(const struct mechanism_kind *kind,
			     const Kview__Wire__StartRecordingRequest *request)
{
	size_t i;

	for (i = 0; i < request->n_probes; i++)
		if (!kind->serves(request->probes[i]))
			return false;
	return true;
}

struct mechanism *mechanism__find(const Kview__Wire__StartRecordingRequest *request,
				  struct error *error)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kind__serves_all(kinds[i], request))
			return kinds[i]->find(request, error);
	error__set(error, ERR_UNSUPPORTED, "This agent can't measure all that was chosen in one recording: record functions and system calls separately, or, if only one kind was chosen, use the agent that came with the client.");
	return NULL;
}

void mechanism__free(struct mechanism *mechanism)
{
	if (mechanism)
		mechanism->ops->free(mechanism);
}
