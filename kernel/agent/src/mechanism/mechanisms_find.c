// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "mechanism/mechanisms_state.h"

static int out_of_memory(struct error *error)
{
	return error__set(error, ERR_FAILED, "Out of memory.");
}

void mechanisms__free(struct mechanisms *ms)
{
	size_t i;

	if (!ms)
		return;
	for (i = 0; i < ms->nr_parts; i++) {
		struct mechanism_part *part = &ms->parts[i];

		if (part->mechanism)
			part->mechanism->ops->free(part->mechanism);
		free(part->points);
		free(part->dropped);
		free(part->kept);
	}
	if (ms->epoll_fd >= 0)
		close(ms->epoll_fd);
	free(ms->parts);
	free(ms->places);
	free(ms->rings);
	free(ms->points);
	free(ms->names);
	free(ms);
}

/* The index of the kind that measures a probe, or of the NULL that follows the last. */
static size_t kind__of(const Kview__Wire__StartRecordingRequest *request,
		       const Kview__Wire__Probe *probe)
{
	size_t i = 0;

	while (mechanism_kinds[i] && !mechanism_kinds[i]->serves(request, probe))
		i++;
	return i;
}

/* Adds the part of a kind, which has its own share of the request. */
static int mechanisms__add(struct mechanisms *ms, size_t kind,
			   const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	struct mechanism_part *part = &ms->parts[ms->nr_parts];
	Kview__Wire__Probe *probes = calloc(ms->nr, sizeof(*probes));
	Kview__Wire__Probe **list = calloc(ms->nr, sizeof(*list));
	Kview__Wire__StartRecordingRequest share = *request;
	int result = -1;
	size_t i;

	part->points = calloc(ms->nr, sizeof(*part->points));
	part->dropped = calloc(ms->nr, sizeof(*part->dropped));
	part->kept = calloc(ms->nr, sizeof(*part->kept));
	ms->nr_parts++;
	if (!probes || !list || !part->points || !part->dropped || !part->kept) {
		out_of_memory(error);
		goto out;
	}
	share.probes = list;
	share.n_probes = 0;
	for (i = 0; i < ms->nr; i++) {
		size_t own = share.n_probes;

		if (kind__of(request, request->probes[i]) != kind)
			continue;
		probes[own] = *request->probes[i];
		probes[own].function_id = own;
		list[own] = &probes[own];
		part->points[own] = i;
		ms->places[i] = (struct mechanism_place){ ms->nr_parts - 1, own };
		share.n_probes++;
	}
	part->mechanism = mechanism_kinds[kind]->find(&share, error);
	if (!part->mechanism)
		goto out;
	for (i = 0; i < part->mechanism->nr; i++)
		ms->names[part->points[i]] = part->mechanism->names[i];
	result = 0;
out:
	free(probes);
	free(list);
	return result;
}

static bool is_used(const Kview__Wire__StartRecordingRequest *request, size_t kind)
{
	size_t i;

	for (i = 0; i < request->n_probes; i++)
		if (kind__of(request, request->probes[i]) == kind)
			return true;
	return false;
}

struct mechanisms *mechanisms__find(const Kview__Wire__StartRecordingRequest *request,
				    struct error *error)
{
	struct mechanisms *ms = calloc(1, sizeof(*ms));
	size_t nr_kinds = 0, i;

	while (mechanism_kinds[nr_kinds])
		nr_kinds++;
	if (!ms)
		goto no_memory;
	ms->pid = request->pid;
	ms->nr = request->n_probes;
	ms->changes_fd = ms->epoll_fd = -1;
	ms->names = calloc(ms->nr, sizeof(*ms->names));
	ms->points = calloc(ms->nr, sizeof(*ms->points));
	ms->places = calloc(ms->nr, sizeof(*ms->places));
	ms->parts = calloc(nr_kinds, sizeof(*ms->parts));
	ms->rings = calloc(nr_kinds, sizeof(*ms->rings));
	if (!ms->names || !ms->points || !ms->places || !ms->parts || !ms->rings)
		goto no_memory;
	if (is_used(request, nr_kinds)) {
		error__set(error, ERR_UNSUPPORTED, "This agent can't measure all that was chosen: use the agent that came with the client.");
		goto fail;
	}
	for (i = 0; i < nr_kinds; i++)
		if (is_used(request, i) && mechanisms__add(ms, i, request, error))
			goto fail;
	return ms;
no_memory:
	out_of_memory(error);
fail:
	mechanisms__free(ms);
	return NULL;
}

/* One descriptor that is readable when any of theirs is. */
static int mechanisms__watch_changes(struct mechanisms *ms, struct error *error)
{
	struct epoll_event event = { .events = EPOLLIN };
	size_t nr = 0, i;

	for (i = 0; i < ms->nr_parts; i++)
		if (ms->parts[i].mechanism->changes_fd >= 0) {
			ms->changes_fd = ms->parts[i].mechanism->changes_fd;
			nr++;
		}
	if (nr < 2)
		return 0;
	ms->changes_fd = ms->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	for (i = 0; ms->epoll_fd >= 0 && i < ms->nr_parts; i++) {
		int fd = ms->parts[i].mechanism->changes_fd;

		if (fd >= 0 && epoll_ctl(ms->epoll_fd, EPOLL_CTL_ADD, fd, &event))
			break;
	}
	return i == ms->nr_parts ? 0 :
		error__set(error, ERR_FAILED, "The process could not be watched for other code: %m.");
}

int mechanisms__load(struct mechanisms *ms, const struct mechanism_load *opts, struct error *error)
{
	struct mechanism_load share = *opts;
	size_t i;

	share.max_bytes /= ms->nr_parts;
	share.threads_fd = -1;
	for (i = 0; i < ms->nr_parts; i++) {
		struct mechanism *mechanism = ms->parts[i].mechanism;

		if (mechanism->ops->load(mechanism, &share, error))
			return -1;
		if (mechanism->threads_fd >= 0)
			share.threads_fd = mechanism->threads_fd;
		ms->by_thread |= mechanism->by_thread;
		if (mechanism->ring.fd >= 0)
			ms->rings[ms->nr_rings++] = (struct mechanisms_ring){
				mechanism->ring, ms->parts[i].points, mechanism->nr };
	}
	for (i = 0; i < ms->nr; i++) {
		struct mechanism_place place = ms->places[i];

		ms->points[i] = (struct point_figures){ &ms->parts[place.part].mechanism->figures,
							place.point };
	}
	return mechanisms__watch_changes(ms, error);
}
