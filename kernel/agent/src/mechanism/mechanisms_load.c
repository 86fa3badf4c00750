// SPDX-License-Identifier: GPL-2.0
/* How the mechanisms of a recording are loaded, and what they know of each other then. */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/loop.h"
#include "mechanism/bpf/program-marks.h"
#include "mechanism/bpf_access.h"
#include "mechanism/mechanisms_state.h"
#include "mechanism/scope.h"
#include "mechanism/shared_view.h"

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

static int part__load(struct mechanisms *ms, size_t part, struct mechanism_load *share, bool events, struct error *error)
{
	struct mechanism *mechanism = ms->parts[part].mechanism;

	/* Each would tell of the same context switches: one mechanism's events are enough. */
	share->events = events && !part;
	loop__breathe();
	if (mechanism->ops->load(mechanism, share, error))
		return -1;
	if (mechanism->threads_fd >= 0) {
		share->more_threads_fd = share->threads_fd;
		share->threads_fd = mechanism->threads_fd;
	}
	if (mechanism->is_inner)
		share->inner_fd = mechanism->inner_fd;
	ms->by_thread |= mechanism->by_thread;
	if (mechanism->ring.fd >= 0)
		ms->sources[ms->nr_sources++] = (struct mechanisms_source){
			mechanism, mechanism->ring, NULL, ms->parts[part].points, mechanism->nr };
	if (mechanism->reader)
		ms->sources[ms->nr_sources++] = (struct mechanisms_source){
			mechanism, { -1, NULL }, mechanism->reader, ms->parts[part].points, mechanism->nr };
	if (mechanism->tells_waits)
		ms->waits[ms->nr_waits++] = (struct mechanisms_waits){
			mechanism->wait_maps, ms->parts[part].points, mechanism->nr };
	return 0;
}

/* A map for the marks of eBPF programs, where these come to what another mechanism counts. */
static int mechanisms__mark_programs(struct mechanisms *ms, struct error *error)
{
	bool counts_hits = false;
	size_t i;

	for (i = 0; i < ms->nr_parts; i++)
		counts_hits |= ms->parts[i].mechanism->counts_hits;
	if (!counts_hits || ms->nr_parts < 2)
		return 0;
	if (bpf_access__prepare(error))
		return -1;
	ms->marks_fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "program_marks", sizeof(uint32_t), sizeof(uint64_t), PROGRAM_MARKS, NULL);
	return ms->marks_fd >= 0 ? 0 :
		error__set(error, errno == EPERM || errno == EACCES ? ERR_NO_PERMISSION : ERR_UNSUPPORTED,
			   "The kernel refused a map for eBPF programs: %s.", strerror(errno));
}

int mechanisms__load(struct mechanisms *ms, const struct mechanism_load *opts, struct error *error)
{
	struct mechanism_load share = *opts;
	bool is_inner;
	size_t i;

	share.max_bytes /= ms->nr_parts;
	share.threads_fd = share.more_threads_fd = share.inner_fd = -1;
	if (mechanisms__mark_programs(ms, error))
		return -1;
	share.marks_fd = ms->marks_fd;
	ms->cgroup = opts->cgroup;
	if (opts->with_children && !(ms->tree = process_tree__new(ms->pid, error)))
		return -1;
	if ((ms->cgroup || ms->tree) && (bpf_access__prepare(error) || (ms->members_fd = scope__make_members(error)) < 0))
		return -1;
	if (ms->cgroup) {
		struct error not_in = { 0 };

		ms->has_agent = !cgroup__check_member(ms->cgroup, getpid(), &not_in);
		shared_view__take_cgroup(ms->view, ms->cgroup->fd);
	}
	shared_view__take_tree(ms->view, ms->tree);
	share.tree = ms->tree;
	share.members_fd = ms->members_fd;
	share.view = ms->view;
	if (opts->no_view)
		shared_view__do_without(ms->view, opts->no_view);
	/* The others need to know of it. */
	for (is_inner = true; ; is_inner = false) {
		for (i = 0; i < ms->nr_parts; i++)
			if (ms->parts[i].mechanism->is_inner == is_inner &&
			    part__load(ms, i, &share, opts->events, error))
				return -1;
		if (!is_inner)
			break;
	}
	if (ms->tree && process_tree__follow(ms->tree, &share, error))
		return -1;
	for (i = 0; i < ms->nr; i++) {
		struct mechanism_place place = ms->places[i];

		ms->points[i] = (struct point_figures){ &ms->parts[place.part].mechanism->figures,
							place.point };
	}
	return mechanisms__watch_changes(ms, error);
}
