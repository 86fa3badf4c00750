// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <kview.h>

#include "base/loop.h"
#include "mechanism/borrowed_sets.h"
#include "mechanism/set_counts.h"

#define CHUNK		4096

/* All of one owner's. */
struct owners_sets {
	struct owned_set *sets;
	size_t nr;
	uint32_t *sites_left;	/* that may be read yet, for all owners */
};

static int owned_set__compare(const void *a, const void *b)
{
	const struct owned_set *x = a, *y = b;

	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return (x->set->id > y->set->id) - (x->set->id < y->set->id);
}

static void set__note(Kview__Wire__ViewSet *set, const char *note)
{
	char *copy = set->counts || *set->counts_note ? NULL : strdup(note);

	if (copy)
		set->counts_note = copy;
}

static int set__sum_hits(int fd, Kview__Wire__SiteCounts *counts, uint32_t sites)
{
	static uint64_t hits[CHUNK];
	struct kview_hits request = { .buf = (uintptr_t)hits, .cpu = -1 };
	uint32_t i;

	for (; request.first < sites; request.first += request.count) {
		request.count = sites - request.first < CHUNK ? sites - request.first : CHUNK;
		if (ioctl(fd, KVIEW_HITS, &request))
			return -1;
		for (i = 0; i < request.count; i++) {
			counts->hits += hits[i];
			counts->sites_hit += hits[i] > 0;
		}
	}
	return 0;
}

static Kview__Wire__SiteCounts *set__count(int fd, const struct kview_set_stat *stat)
{
	Kview__Wire__SiteCounts *counts = malloc(sizeof(*counts));

	if (!counts)
		return NULL;
	kview__wire__site_counts__init(counts);
	counts->read_ns = clock__now_ns();
	counts->places = stat->places;
	counts->missed = stat->missed;
	counts->lost_returns = stat->lost_returns;
	counts->lost_records = stat->lost_records;
	counts->rejected_interrupt = stat->lost_irq;
	counts->rejected_nested = stat->lost_nested;
	counts->rejected_kernel = stat->lost_borrowed;
	if (!set__sum_hits(fd, counts, stat->sites))
		return counts;
	free(counts);
	return NULL;
}

static bool set__read(int fd, const struct kview_item *item, void *context)
{
	const struct owners_sets *owner = context;
	struct kview_set_stat stat = { 0 };
	Kview__Wire__ViewSet key = { 0 };
	struct owned_set wanted = { &key, owner->sets->owner }, *found;
	char note[100];

	key.id = item->id;
	found = bsearch(&wanted, owner->sets, owner->nr, sizeof(wanted), owned_set__compare);
	if (!found || found->set->counts || ioctl(fd, KVIEW_SET_STAT, &stat))
		return true;
	if (stat.sites > *owner->sites_left) {
		snprintf(note, sizeof(note), "The sets have more than %u sites together: not all of them are read at once.",
			 borrowed_sets__sites_most());
		set__note(found->set, note);
		return true;
	}
	*owner->sites_left -= stat.sites;
	found->set->counts = set__count(fd, &stat);
	return true;
}

void set_counts__read(struct owned_set *sets, size_t nr)
{
	uint32_t sites_left = borrowed_sets__sites_most();
	struct owners_sets owner = { .sites_left = &sites_left };
	size_t first, last, i;
	char why[128];
	int failed;

	qsort(sets, nr, sizeof(*sets), owned_set__compare);
	for (first = 0; first < nr; first = last) {
		for (last = first; last < nr && sets[last].owner == sets[first].owner; last++)
			;
		owner.sets = sets + first;
		owner.nr = last - first;
		failed = sets[first].owner ? borrowed_sets__each(sets[first].owner, set__read, &owner) : 0;
		borrowed_sets__why(sets[first].owner, failed, why, sizeof(why));
		for (i = first; i < last; i++)
			set__note(sets[i].set, why);
	}
}
