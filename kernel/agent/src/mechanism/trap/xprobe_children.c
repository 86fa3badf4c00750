// SPDX-License-Identifier: GPL-2.0
/*
 * Children that the traced process forks have a copy of its code, with the probes in it.  The
 * kernel takes them out: whenever a link goes, it looks at all processes that map the places of that
 * link, and takes the breakpoint out of each in which no link wants it.  So a link on all places,
 * which wants them in no process, is made and closed.  It is the kernel that knows whose probes
 * there are: those of others stay, whenever they were set, and nothing is written by the number
 * of a process.
 *
 * Single probes need none of it: the kernel takes one out as a child comes to it.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/error.h"
#include "base/loop.h"
#include "base/usage.h"
#include "mechanism/trap/xprobe_children.h"
#include "mechanism/trap/xprobe_state.h"

/*
 * Nothing is done for so many times as long as it took: of what works, and of what waits, as processes wait
 * with it.  A link that goes takes the probes first, which takes about as long as making it did.  Then it waits
 * for all CPUs: that costs nobody anything, and is done by a thread of its own.
 */
#define PAUSES		9
#define PAUSES_OF_WAITS	2
#define MADE_AND_TAKEN	2

/* How often it is looked whether it has gone. */
#define LOOK_NS	20000000ULL

/* In the map: told of, or being freed. */
enum { CHILD_FORKED = 1, CHILD_SWEPT };

static int heard(void *context, void *record, size_t size)
{
	struct xprobe *xprobe = context;

	xprobe->children_wait = true;
	return 0;
}

int xprobe__hear(struct xprobe *xprobe)
{
	struct epoll_event ready = { .events = EPOLLIN };

	xprobe->children = ring_buffer__new(bpf_map__fd(xprobe->skel->maps.children), heard, xprobe,
					    NULL);
	if (!xprobe->children)
		return -1;
	xprobe->again_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (xprobe->again_fd < 0)
		return -1;
	return epoll_ctl(xprobe__children_fd(xprobe), EPOLL_CTL_ADD, xprobe->again_fd, &ready);
}

void xprobe__hear_no_more(struct xprobe *xprobe)
{
	ring_buffer__free(xprobe->children);
	if (xprobe->again_fd > 0)
		close(xprobe->again_fd);
}

int xprobe__children_fd(const struct xprobe *xprobe)
{
	return ring_buffer__epoll_fd(xprobe->children);
}

/* What has a breakpoint of another's since before keeps it. */
static int xprobe__places_to_free(const struct xprobe *xprobe, struct places *places)
{
	size_t i;

	for (i = 0; i < xprobe->places.nr; i++)
		if (!xprobe->places.all[i].foreign &&
		    places__add_one(places, &xprobe->places.all[i]))
			return -1;
	return 0;
}

/* A link that runs nothing and is in nobody's code: the agent maps none of these files. */
static int xprobe__sweep(struct xprobe *xprobe, struct links_closing **closing, struct error *error)
{
	struct places places = { 0 };
	struct links *links;
	int result = -1;

	links = links__new(xprobe->links_kind, xprobe->files, 0, error);
	if (links && xprobe__places_to_free(xprobe, &places))
		error__set(error, ERR_FAILED, "Out of memory.");
	else if (links)
		result = links__add(links, xprobe->skel->progs.code_changes, getpid(), &places,
				    false, error);
	places__free(&places);
	*closing = links__start_closing(&links, 1);
	return result;
}

/* Those that are known now; later ones are told of again. */
static size_t xprobe__list_children(const struct xprobe *xprobe, uint32_t **tgids)
{
	struct bpf_map *map = xprobe->skel->maps.probed_children;
	uint32_t room = bpf_map__max_entries(map), nr = 0;

	*tgids = calloc(room, sizeof(**tgids));
	while (*tgids && nr < room &&
	       !bpf_map__get_next_key(map, nr ? *tgids + nr - 1 : NULL, *tgids + nr,
				      sizeof(**tgids)))
		nr++;
	return nr;
}

/* Keeps of a list those that nobody frees yet, and marks them; one that has just ended is none. */
static size_t xprobe__take_children(const struct xprobe *xprobe, uint32_t *tgids, size_t nr)
{
	int map = bpf_map__fd(xprobe->skel->maps.probed_children);
	uint8_t state, swept = CHILD_SWEPT;
	size_t kept = 0, i;

	for (i = 0; i < nr; i++)
		if (!bpf_map_lookup_elem(map, &tgids[i], &state) && state == CHILD_FORKED &&
		    !bpf_map_update_elem(map, &tgids[i], &swept, BPF_EXIST))
			tgids[kept++] = tgids[i];
	return kept;
}

/* Whether it was there: else it has ended, or executed a program, and was counted then. */
static bool xprobe__forget_child(struct xprobe *xprobe, uint32_t tgid)
{
	uint64_t cpu_ns = usage__process_cpu_ns(tgid);

	if (bpf_map__delete_elem(xprobe->skel->maps.probed_children, &tgid, sizeof(tgid), 0))
		return false;
	xprobe->children_cpu_ns += cpu_ns;
	return true;
}

static void sweep__end(struct xprobe *xprobe, struct sweep *sweep, bool freed)
{
	size_t i;

	links__wait_closed(sweep->closing);
	for (i = 0; i < sweep->nr; i++)
		if (xprobe__forget_child(xprobe, sweep->tgids[i]) && !freed)
			xprobe->children_kept++;
	free(sweep->tgids);
	*sweep = (struct sweep){ 0 };
}

/* Returns one that is free, or NULL; and in are_under_way whether any is not. */
static struct sweep *xprobe__look_at_sweeps(struct xprobe *xprobe, bool *are_under_way)
{
	struct sweep *sweep, *unused = NULL;

	*are_under_way = false;
	for (sweep = xprobe->sweeps; sweep < xprobe->sweeps + SWEEPS; sweep++) {
		if (sweep->tgids && links__are_closed(sweep->closing))
			sweep__end(xprobe, sweep, true);
		if (sweep->tgids)
			*are_under_way = true;
		else
			unused = sweep;
	}
	return unused;
}

static void xprobe__free_all(struct xprobe *xprobe, struct sweep *sweep)
{
	bool swept = xprobe->links_kind == LINKS_SINGLE;
	struct error error = { 0 };

	sweep->nr = xprobe__list_children(xprobe, &sweep->tgids);
	sweep->nr = xprobe__take_children(xprobe, sweep->tgids, sweep->nr);
	if (sweep->nr && !swept) {
		if (!xprobe__sweep(xprobe, &sweep->closing, &error))
			return;
		log__line("forked children keep the probes until the recording ends: %s", error.message);
	}
	sweep__end(xprobe, sweep, swept);
	error__free(&error);
}

static void xprobe__pause(struct xprobe *xprobe, uint64_t begin_ns, uint64_t begin_cpu_ns)
{
	uint64_t now_ns = clock__now_ns();
	uint64_t worked_ns = PAUSES * MADE_AND_TAKEN * (usage__cpu_ns() - begin_cpu_ns);
	uint64_t took_ns = PAUSES_OF_WAITS * MADE_AND_TAKEN * (now_ns - begin_ns);

	xprobe->sweep_ns = now_ns + (worked_ns > took_ns ? worked_ns : took_ns);
}

static void xprobe__look_again(const struct xprobe *xprobe, uint64_t in_ns)
{
	struct itimerspec at = {
		.it_value = { .tv_nsec = in_ns },
	};

	timerfd_settime(xprobe->again_fd, 0, &at, NULL);
}

void xprobe__free_children(struct xprobe *xprobe)
{
	uint64_t begin_ns = clock__now_ns(), begin_cpu_ns = usage__cpu_ns();
	struct sweep *sweep;
	bool are_under_way;

	timer__expired(xprobe->again_fd);
	ring_buffer__consume(xprobe->children);
	if (!xprobe->files)
		return;
	sweep = xprobe__look_at_sweeps(xprobe, &are_under_way);
	if (sweep && begin_ns >= xprobe->sweep_ns) {
		xprobe->children_wait = false;
		xprobe__free_all(xprobe, sweep);
		are_under_way |= sweep->tgids != NULL;
		xprobe__pause(xprobe, begin_ns, begin_cpu_ns);
	}
	begin_ns = clock__now_ns();
	if (xprobe->children_wait && xprobe->sweep_ns > begin_ns && xprobe->sweep_ns < begin_ns + LOOK_NS)
		xprobe__look_again(xprobe, xprobe->sweep_ns - begin_ns);
	else if (xprobe->children_wait || are_under_way)
		xprobe__look_again(xprobe, LOOK_NS);
}

void xprobe__end_sweeps(struct xprobe *xprobe)
{
	struct sweep *sweep;

	for (sweep = xprobe->sweeps; sweep < xprobe->sweeps + SWEEPS; sweep++)
		if (sweep->tgids)
			sweep__end(xprobe, sweep, true);
}

void xprobe__end_children(struct xprobe *xprobe)
{
	uint32_t *tgids;
	size_t nr = xprobe__list_children(xprobe, &tgids), i;

	for (i = 0; i < nr; i++)
		xprobe__forget_child(xprobe, tgids[i]);
	free(tgids);
}

struct xprobe_children xprobe__children(const struct xprobe *xprobe)
{
	struct xp_counters counters = xprobe__counters(xprobe);

	return (struct xprobe_children){
		.nr = counters.children,
		.cpu_ns = xprobe->children_cpu_ns + counters.children_cpu_ns,
	};
}

uint64_t xprobe__children_kept(const struct xprobe *xprobe)
{
	return xprobe->children_kept + xprobe__counters(xprobe).children_missed;
}
