// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/error.h"
#include "base/message_list.h"
#include "base/precedence.h"
#include "client/replies.h"
#include "lookup/names.h"
#include "mechanism/capabilities.h"
#include "mechanism/kernel_views.h"
#include "mechanism/mechanism.h"
#include "mechanism/point_names.h"
#include "mechanism/view_sites.h"
#include "permission/permission.h"
#include "processes/processes.h"
#include "recording/provenance.h"
#include "ways/prices.h"

typedef void wire_send(struct wire *wire, uint32_t request_id,
		       Kview__Wire__FromAgent__BodyCase body_case, void *body);

static void send_error(struct wire *wire, uint32_t request_id, const struct error *error,
		       wire_send *send)
{
	Kview__Wire__Error body = KVIEW__WIRE__ERROR__INIT;
	/* It may quote part of the request, cut within a character: made valid text here. */
	char *message = name__printable(error->message);

	body.code = (Kview__Wire__Error__Code)error->code;
	body.message = message ? message : "Out of memory.";
	body.suggestions = error->suggestions;
	while (body.suggestions && body.suggestions[body.n_suggestions])
		body.n_suggestions++;
	send(wire, request_id, KVIEW__WIRE__FROM_AGENT__BODY_ERROR, &body);
	free(message);
}

void reply__error(struct wire *wire, uint32_t request_id, const struct error *error)
{
	send_error(wire, request_id, error, wire__send);
}

void reply__error_behind(struct wire *wire, uint32_t request_id, const struct error *error)
{
	send_error(wire, request_id, error, wire__send_behind);
}

void reply__refuse(struct wire *wire, uint32_t request_id, struct error *error)
{
	reply__error(wire, request_id, error);
	error__free(error);
}

void reply__refuse_behind(struct wire *wire, uint32_t request_id, struct error *error)
{
	reply__error_behind(wire, request_id, error);
	error__free(error);
}

static void describe_precedence(struct capability *capability)
{
	int error = permission__may_go_first() ? precedence__try() : 0;

	capability->name = "precedence";
	capability->required = false;
	capability->available = permission__may_go_first() && !error;
	if (capability->available)
		snprintf(capability->detail, sizeof(capability->detail),
			 "Events are read before ordinary threads run, for half of one CPU at most.");
	else
		snprintf(capability->detail, sizeof(capability->detail),
			 "Events are read when the agent's turn comes, so that some are dropped where very many threads want a CPU: %s%s.",
			 error ? "the kernel refuses real-time precedence, for which CAP_SYS_NICE is needed: " :
			 "users who may do less than the agent get no precedence by it", error ? strerror(error) : "");
}

bool reply__hello(struct wire *wire, uint32_t request_id,
		  const Kview__Wire__HelloRequest *request)
{
	Kview__Wire__HelloReply body = KVIEW__WIRE__HELLO_REPLY__INIT;
	Kview__Wire__Capability capabilities[CAPABILITIES_MAX], *list[CAPABILITIES_MAX];
	struct capability found[CAPABILITIES_MAX];
	size_t nr, i;
	struct error error = { 0 };
	char hostname[256] = "", cpu_model[128], boot_id[64];
	struct utsname system;

	if (request->protocol_version != 1) {
		error__set(&error, ERR_UNSUPPORTED,
			   "This agent (%s) speaks version 1 of the protocol, the client version %u: use the agent that came with the client.",
			   KVIEW_VERSION, request->protocol_version);
		reply__error(wire, request_id, &error);
		return false;
	}
	nr = capabilities__find(found, CAPABILITIES_MAX);
	if (nr < CAPABILITIES_MAX &&
	    permission__describe(found[nr].detail, sizeof(found[nr].detail))) {
		found[nr].name = "all_processes";
		found[nr].available = false;
		found[nr].required = permission__any(&error);
		nr++;
	}
	if (nr < CAPABILITIES_MAX) {
		found[nr].name = "jump";
		found[nr].available = mechanism__has_jumps(found[nr].detail, sizeof(found[nr].detail));
		found[nr++].required = false;
	}
	if (nr < CAPABILITIES_MAX)
		describe_precedence(&found[nr++]);
	uname(&system);
	gethostname(hostname, sizeof(hostname) - 1);
	for (i = 0; i < nr; i++) {
		kview__wire__capability__init(&capabilities[i]);
		capabilities[i].name = (char *)found[i].name;
		capabilities[i].available = found[i].available;
		capabilities[i].required = found[i].required;
		capabilities[i].detail = found[i].detail;
		list[i] = &capabilities[i];
	}
	body.protocol_version = 1;
	body.agent_version = (char *)KVIEW_VERSION;
	body.hostname = hostname;
	body.kernel_release = system.release;
	body.machine = system.machine;
	body.cpus = sysconf(_SC_NPROCESSORS_ONLN);
	body.uid = geteuid();
	body.realtime_offset_ns = clock__realtime_offset_ns();
	body.n_capabilities = nr;
	body.capabilities = list;
	body.link = true;
	body.cpu_model = provenance__cpu_model(cpu_model, sizeof(cpu_model));
	body.boot_id = provenance__boot_id(boot_id, sizeof(boot_id));
	wire__send(wire, request_id, KVIEW__WIRE__FROM_AGENT__BODY_HELLO, &body);
	return true;
}

static const struct ps_reader reader = { permission__begin_listed, permission__end_listed };

static void reply__processes(struct wire *wire, uint32_t request_id)
{
	Kview__Wire__ListProcessesReply body = KVIEW__WIRE__LIST_PROCESSES_REPLY__INIT;
	struct error error = { 0 };
	struct ps_list found = { 0 };
	size_t i;

	body.begin_ns = clock__now_ns();
	if (ps_list__read(&found, &reader)) {
		error__set(&error, ERR_FAILED, "The processes can't be read from /proc: %s.",
			   strerror(errno));
		goto out;
	}
	body.processes = message_list__new(found.nr, sizeof(**body.processes));
	if (!body.processes) {
		error__set(&error, ERR_FAILED, "Out of memory.");
		goto out;
	}
	for (i = 0; i < found.nr; i++)
		provenance__process(body.processes[i], &found.processes[i]);
	body.n_processes = found.nr;
	wire__send(wire, request_id, KVIEW__WIRE__FROM_AGENT__BODY_LIST_PROCESSES, &body);
out:
	if (error.code)
		reply__error(wire, request_id, &error);
	error__free(&error);
	ps_list__free(&found);
	free(body.processes);
}

static void describe_function(Kview__Wire__Function *body, const struct fn_function *function,
			      const char *binary, const struct calibration *calibration)
{
	kview__wire__function__init(body);
	body->name = function->name;
	body->symbol = function->symbol;
	body->binary = (char *)binary;
	body->address = function->address;
	body->file_offset = function->file_offset;
	body->size_bytes = function->size;
	body->language = (Kview__Wire__Language)function->language;
	body->aliases = function->aliases;
	while (body->aliases && body->aliases[body->n_aliases])
		body->n_aliases++;
	body->inlined_places = function->inlined_places;
	body->probeable = function->probeable;
	body->reason = function->reason ? function->reason : (char *)"";
	if (!function->probeable)
		return;
	body->exit_kind = (Kview__Wire__ExitKind)function->exit_kind;
	body->exit_sites = function->nr_sites;
	body->goes_on_to = fn_function__goes_on_unseen(function, &body->n_goes_on_to);
	body->entry_cost = (Kview__Wire__InstructionCost)function->entry_cost;
	mechanism__price(calibration, function, body);
}

static void reply__functions(struct wire *wire, uint32_t request_id,
			     const Kview__Wire__FindFunctionsRequest *request,
			     const struct calibration *calibration)
{
	Kview__Wire__FindFunctionsReply body = KVIEW__WIRE__FIND_FUNCTIONS_REPLY__INIT;
	struct fn_query query = { .pid = request->pid, .binary = request->binary,
				  .pattern = request->pattern, .limit = request->limit };
	struct error error = { 0 };
	struct fn_list found = { 0 };
	size_t i;

	mechanism__prepare(&query);
	if (permission__find(&found, &query, &error))
		goto out;
	body.functions = message_list__new(found.nr, sizeof(**body.functions));
	if (!body.functions) {
		error__set(&error, ERR_FAILED, "Out of memory.");
		goto out;
	}
	for (i = 0; i < found.nr; i++)
		describe_function(body.functions[i], &found.functions[i], found.binary,
				  calibration);
	body.n_functions = found.nr;
	body.total_matches = found.total_matches;
	body.binary = found.binary;
	body.build_id = found.build_id;
	body.not_loaded = found.not_loaded;
	wire__send(wire, request_id, KVIEW__WIRE__FROM_AGENT__BODY_FIND_FUNCTIONS, &body);
out:
	if (error.code)
		reply__error(wire, request_id, &error);
	for (i = 0; i < body.n_functions; i++)
		free(body.functions[i]->goes_on_to);
	error__free(&error);
	fn_list__free(&found);
	free(body.functions);
}

/* To be freed: the array in the message, and refused. */
static int points__refuse(Kview__Wire__FindPointsReply *body, Kview__Wire__RefusedPoint **refused,
			  const struct point_names *found)
{
	size_t i;

	if (!found->nr_refused)
		return 0;
	*refused = calloc(found->nr_refused, sizeof(**refused));
	body->refused = calloc(found->nr_refused, sizeof(*body->refused));
	if (!*refused || !body->refused)
		return -1;
	for (i = 0; i < found->nr_refused; i++) {
		kview__wire__refused_point__init(&(*refused)[i]);
		(*refused)[i].name = found->refused[i];
		(*refused)[i].reason = (char *)found->reasons[i];
		body->refused[body->n_refused++] = &(*refused)[i];
	}
	return 0;
}

static void reply__points(struct wire *wire, uint32_t request_id,
			  const Kview__Wire__FindPointsRequest *request)
{
	Kview__Wire__FindPointsReply body = KVIEW__WIRE__FIND_POINTS_REPLY__INIT;
	Kview__Wire__RefusedPoint *refused = NULL;
	struct error error = { 0 };
	struct point_names found;

	if (mechanism__find_points(request, &found, &error)) {
		reply__error(wire, request_id, &error);
	} else if (points__refuse(&body, &refused, &found)) {
		error__set(&error, ERR_FAILED, "Out of memory.");
		reply__error(wire, request_id, &error);
	} else {
		body.names = found.names;
		body.n_names = found.nr;
		body.total_matches = found.total;
		body.binary = found.binary ? found.binary : (char *)"";
		body.not_loaded = found.not_loaded;
		wire__send(wire, request_id, KVIEW__WIRE__FROM_AGENT__BODY_FIND_POINTS, &body);
	}
	error__free(&error);
	free(refused);
	free(body.refused);
	point_names__free(&found);
}

static void reply__views(struct wire *wire, uint32_t request_id)
{
	struct error error = { 0 };
	Kview__Wire__ListViewsReply *body = permission__views(&error) ? NULL : kernel_views__list(&error);

	if (body)
		wire__send(wire, request_id, KVIEW__WIRE__FROM_AGENT__BODY_LIST_VIEWS, body);
	else
		reply__error(wire, request_id, &error);
	if (body)
		kview__wire__list_views_reply__free_unpacked(body, NULL);
	error__free(&error);
}

static void reply__sites(struct wire *wire, uint32_t request_id, const Kview__Wire__ListSitesRequest *request)
{
	struct error error = { 0 };
	struct view_sites *sites = permission__views(&error) ? NULL : view_sites__read(request, &error);

	if (sites)
		wire__send(wire, request_id, KVIEW__WIRE__FROM_AGENT__BODY_LIST_SITES, view_sites__reply(sites));
	else
		reply__error(wire, request_id, &error);
	view_sites__free(sites);
	error__free(&error);
}

static void reply__calibration(struct wire *wire, uint32_t request_id,
			       const Kview__Wire__CalibrateRequest *request, struct calibration *calibration)
{
	Kview__Wire__CalibrateReply reply = KVIEW__WIRE__CALIBRATE_REPLY__INIT;
	Kview__Wire__ProbeCost *list[XP_COST_CALLS];
	struct mechanism_prices prices = { 0 };
	struct error error = { 0 };
	struct ways *ways;
	size_t i;

	if (mechanism__measure_prices(calibration, &prices, &error))
		return reply__error(wire, request_id, &error);
	for (i = 0; i < prices.nr; i++)
		list[i] = &prices.rows[i];
	reply.n_costs = prices.nr;
	reply.costs = list;
	reply.switch_cost_ns = prices.switch_ns;
	reply.calibration_note = (char *)prices.note;
	ways = request->ways ? ways__measure(calibration) : NULL;
	if (ways)
		ways__tell(ways, &reply);
	wire__send(wire, request_id, KVIEW__WIRE__FROM_AGENT__BODY_CALIBRATE, &reply);
	ways__free(ways);
}

void reply__withhold(Kview__Wire__HistogramDelta *figures, Kview__Wire__Losses *told_losses)
{
	figures->n_functions = 0;
	figures->losses = told_losses;
	figures->probes_cost_ns = figures->process_cpu_ns = 0;
	figures->children = figures->children_cpu_ns = 0;
}

void reply__stateless(struct wire *wire, const Kview__Wire__ToAgent *request,
		      struct calibration *calibration)
{
	uint32_t id = request->request_id;
	struct error error = { 0 };

	switch (request->body_case) {
	case KVIEW__WIRE__TO_AGENT__BODY_LIST_PROCESSES:
		return reply__processes(wire, id);
	case KVIEW__WIRE__TO_AGENT__BODY_LIST_MAPPED_FILES:
		return reply__mapped_files(wire, id, request->list_mapped_files);
	case KVIEW__WIRE__TO_AGENT__BODY_FIND_FUNCTIONS:
		return reply__functions(wire, id, request->find_functions, calibration);
	case KVIEW__WIRE__TO_AGENT__BODY_FIND_POINTS:
		return reply__points(wire, id, request->find_points);
	case KVIEW__WIRE__TO_AGENT__BODY_LIST_VIEWS:
		return reply__views(wire, id);
	case KVIEW__WIRE__TO_AGENT__BODY_LIST_SITES:
		return reply__sites(wire, id, request->list_sites);
	case KVIEW__WIRE__TO_AGENT__BODY_CALIBRATE:
		return reply__calibration(wire, id, request->calibrate, calibration);
	default:
		error__set(&error, ERR_BAD_REQUEST, "This agent does not know the request: use the agent that came with the client.");
		reply__error(wire, id, &error);
		error__free(&error);
	}
}
