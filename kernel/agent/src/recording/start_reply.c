// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/loop.h"
#include "base/message_list.h"
#include "recording/ctf.h"
#include "recording/start_reply.h"

static char *metadata__of(const struct start_reply *reply, int64_t realtime_offset_ns)
{
	char hostname[256] = "";
	struct ctf_trace trace = {
		.realtime_offset_ns = realtime_offset_ns,
		.hostname = hostname,
		.traced_pid = reply->mechanisms->pid,
		.function_names = reply->mechanisms->names,
		.nr_functions = reply->mechanisms->nr,
	};

	gethostname(hostname, sizeof(hostname) - 1);
	memcpy(trace.uuid, reply->uuid, sizeof(trace.uuid));
	return ctf__metadata(&trace);
}

int start_reply__send(const struct start_reply *told)
{
	Kview__Wire__StartRecordingReply reply = KVIEW__WIRE__START_RECORDING_REPLY__INIT;
	struct mechanisms *mechanisms = told->mechanisms;
	size_t nr = mechanisms->nr, i;
	Kview__Wire__AttachedProbe **list = message_list__new(nr, sizeof(**list));
	char *metadata = NULL;
	int result = -1;

	if (provenance__fill(told->provenance, &reply, mechanisms) || !list)
		goto out;
	reply.start_ns = mechanisms->begin_ns;
	reply.realtime_offset_ns = clock__realtime_offset_ns();
	reply.filter = mechanisms__filter(mechanisms);
	reply.filter_note = (char *)mechanisms__filter_note(mechanisms);
	reply.attach_ns = told->attach_ns;
	reply.calibration_note = (char *)mechanisms__note(mechanisms);
	reply.waits_note = (char *)mechanisms__waits_note(mechanisms);
	reply.resume_token = told->token;
	if (told->uuid) {
		metadata = metadata__of(told, reply.realtime_offset_ns);
		if (!metadata)
			goto out;
		reply.ctf_metadata = metadata;
	}
	for (i = 0; i < nr; i++) {
		kview__wire__attached_probe__init(list[i]);
		list[i]->function_id = i;
		mechanisms__describe(mechanisms, i, list[i]);
	}
	reply.n_probes = nr;
	reply.probes = list;
	told->sink->send(told->sink->context, told->request_id,
			 KVIEW__WIRE__FROM_AGENT__BODY_START_RECORDING, &reply);
	result = 0;
out:
	for (i = 0; i < reply.n_probes; i++) {
		free(list[i]->goes_on_to);
		free(list[i]->quantities);
	}
	free(list);
	free(metadata);
	return result;
}
