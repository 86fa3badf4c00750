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
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/error.h"
#include "base/loop.h"
#include "base/usage.h"
#include "mechanism/trap/xprobe_children.h"
#include "mechanism/trap/xprobe_state.h"

/*
 * Nothing is done for so many times as long as it took: of what works, and of what waits.  A link
 * that goes waits for all CPUs, which costs nobody anything but that the agent does nothing else.
 */
#define PAUSES		9
#define PAUSES_OF_WAITS	2

static int heard(void *context, void *record, size_t size)
{
	return 0;
}

int xprobe__hear(struct xprobe *xprobe)
{
	xprobe->children = ring_buffer__new(bpf_map__fd(xprobe->skel->maps.children), heard, xprobe,
					    NULL);
	return xprobe->children ? 0 : -1;
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
static int xprobe__sweep(struct xprobe *xprobe, struct error *error)
{
	struct places places = { 0 };
	struct links *links;
	int result = -1;

	links = links__new(xprobe->links_kind, xprobe->files, 0, error);
	if (links && xprobe__places_to_free(xprobe, &places))
		error__set(error, ERR_FAILED, "Out of memory.");
	else if (links)
		result = links__add(links, xprobe->skel->progs.call_hidden_site, getpid(), &places,
				    false, error);
	links__free(links);
	places__free(&places);
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

/* Whether it was there: else it has ended, or executed a program, and was counted then. */
static bool xprobe__forget_child(struct xprobe *xprobe, uint32_t tgid)
{
	uint64_t cpu_ns = usage__process_cpu_ns(tgid);

	if (bpf_map__delete_elem(xprobe->skel->maps.probed_children, &tgid, sizeof(tgid), 0))
		return false;
	xprobe->children_cpu_ns += cpu_ns;
	return true;
}

static void xprobe__free_all(struct xprobe *xprobe)
{
	bool swept = xprobe->links_kind == LINKS_SINGLE;
	struct error error = { 0 };
	uint32_t *tgids;
	size_t nr = xprobe__list_children(xprobe, &tgids), i;

	if (nr && !swept) {
		swept = !xprobe__sweep(xprobe, &error);
		if (!swept)
			log__line("forked children keep the probes until the recording ends: %s",
				  error.message);
	}
	for (i = 0; i < nr; i++)
		if (xprobe__forget_child(xprobe, tgids[i]) && !swept)
			xprobe->children_kept++;
	error__free(&error);
	free(tgids);
}

void xprobe__free_children(struct xprobe *xprobe)
{
	uint64_t begin_ns = clock__now_ns(), begin_cpu_ns = usage__cpu_ns();
	uint64_t worked_ns, took_ns;

	ring_buffer__consume(xprobe->children);
	if (!xprobe->files || begin_ns < xprobe->sweep_ns)
		return;
	xprobe__free_all(xprobe);
	worked_ns = PAUSES * (usage__cpu_ns() - begin_cpu_ns);
	xprobe->sweep_ns = clock__now_ns();
	took_ns = PAUSES_OF_WAITS * (xprobe->sweep_ns - begin_ns);
	xprobe->sweep_ns += worked_ns > took_ns ? worked_ns : took_ns;
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
