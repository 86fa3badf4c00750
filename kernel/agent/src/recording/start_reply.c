// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/loop.h"
#include "base/message_list.h"
#include "client/rendezvous.h"
#include "recording/ctf.h"
#include "recording/filter.h"
#include "recording/provenance.h"
#include "recording/start_reply.h"

static char *metadata__of(const struct start_reply *reply, int64_t realtime_offset_ns)
{
	char hostname[256] = "";
	struct ctf_trace trace = {
		.realtime_offset_ns = realtime_offset_ns,
		.hostname = hostname,
		.target_pid = reply->pid,
		.function_names = probes__names(reply->probes),
		.nr_functions = probes__nr(reply->probes),
	};

	gethostname(hostname, sizeof(hostname) - 1);
	memcpy(trace.uuid, reply->uuid, sizeof(trace.uuid));
	return ctf__metadata(&trace);
}

static void describe_probe(Kview__Wire__AttachedProbe *message, uint32_t id,
			   const struct fn_function *f, const struct calibration *calibration)
{
	struct xp_cost cost = calibration->costs[calibrate__dearest_of(f)];

	kview__wire__attached_probe__init(message);
	message->function_id = id;
	message->exit_kind = (Kview__Wire__ExitKind)f->exit_kind;
	message->exit_sites = f->nr_sites;
	message->inner_cost_ns = cost.inner_ns;
	message->call_cost_ns = cost.call_ns;
	message->forced = f->forced;
	message->goes_on_to = fn_function__goes_on_unseen(f, &message->n_goes_on_to);
}

int start_reply__send(const struct start_reply *told)
{
	Kview__Wire__StartRecordingReply reply = KVIEW__WIRE__START_RECORDING_REPLY__INIT;
	size_t nr = probes__nr(told->probes), i;
	Kview__Wire__AttachedProbe **list = message_list__new(nr, sizeof(**list));
	struct provenance provenance;
	char *metadata = NULL;
	int result = -1;

	if (provenance__fill(&provenance, &reply, told->pid, told->probes) || !list)
		goto out;
	reply.start_ns = told->start_ns;
	reply.realtime_offset_ns = clock__realtime_offset_ns();
	reply.filter = KVIEW__WIRE__FILTER__FILTER_IN;
	reply.filter_note = (char *)filter__note();
	reply.attach_ns = told->attach_ns;
	reply.calibration_note = (char *)told->calibration->note;
	if (told->token)
		reply.resume_token = (ProtobufCBinaryData){ RENDEZVOUS_TOKEN_BYTES,
							    (uint8_t *)told->token };
	if (told->uuid) {
		metadata = metadata__of(told, reply.realtime_offset_ns);
		if (!metadata)
			goto out;
		reply.ctf_metadata = metadata;
	}
	for (i = 0; i < nr; i++)
		describe_probe(list[i], i, probes__functions(told->probes)[i].function,
			       told->calibration);
	reply.n_probes = nr;
	reply.probes = list;
	told->sink->send(told->sink->context, told->request_id,
			 KVIEW__WIRE__FROM_AGENT__BODY_START_RECORDING, &reply);
	result = 0;
out:
	for (i = 0; i < reply.n_probes; i++)
		free(list[i]->goes_on_to);
	free(list);
	free(metadata);
	provenance__free(&provenance);
	return result;
}
