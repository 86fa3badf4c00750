// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <kview.h>

#include "base/loop.h"
#include "mechanism/set_counts.h"

/* Of all sets together, in one reply: the kernel adds up those of each CPU, some ns for each. */
#define COUNTERS_MOST	4000000
#define CHUNK		4096

static uint32_t sites_most(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	return COUNTERS_MOST / (cpus > 10 ? cpus : 10);
}

static int owned_set__compare(const void *a, const void *b)
{
	const struct owned_set *x = a, *y = b;

	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return (x->set->id > y->set->id) - (x->set->id < y->set->id);
}

__attribute__((format(printf, 2, 3)))
static void set__note(Kview__Wire__ViewSet *set, const char *format, ...)
{
	va_list args;
	char *note;

	if (set->counts || *set->counts_note)
		return;
	va_start(args, format);
	if (vasprintf(&note, format, args) >= 0)
		set->counts_note = note;
	va_end(args);
}

static bool fd__is_set(int folder, const char *name)
{
	char file[32];
	ssize_t length = readlinkat(folder, name, file, sizeof(file) - 1);

	if (length < 0)
		return false;
	file[length] = 0;
	return !strcmp(file, "anon_inode:[kview-set]");
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

/* fd may be of any file by now: its owner goes on meanwhile. */
static void set__read(int fd, struct owned_set *sets, size_t nr, uint32_t *sites_left)
{
	struct kview_item item = { 0 };
	struct kview_set_stat stat = { 0 };
	Kview__Wire__ViewSet key = { 0 };
	struct owned_set wanted = { &key, sets->owner }, *found;
	char own[32];

	snprintf(own, sizeof(own), "/proc/self/fd/%d", fd);
	if (!fd__is_set(-1, own) || ioctl(fd, KVIEW_ITEM, &item) || ioctl(fd, KVIEW_SET_STAT, &stat))
		return;
	key.id = item.id;
	found = bsearch(&wanted, sets, nr, sizeof(*sets), owned_set__compare);
	if (!found || found->set->counts)
		return;
	if (stat.sites > *sites_left) {
		set__note(found->set, "The sets have more than %u sites together: not all of them are read at once.", sites_most());
		return;
	}
	*sites_left -= stat.sites;
	found->set->counts = set__count(fd, &stat);
}

/* All of one owner's. */
static void owner__read(struct owned_set *sets, size_t nr, uint32_t *sites_left)
{
	int process = syscall(SYS_pidfd_open, sets->owner, 0), failed = process < 0 ? errno : 0, fd;
	struct dirent *entry;
	char path[32];
	DIR *folder;
	size_t i;

	snprintf(path, sizeof(path), "/proc/%d/fd", sets->owner);
	folder = process < 0 ? NULL : opendir(path);
	while (folder && (entry = readdir(folder))) {
		if (!fd__is_set(dirfd(folder), entry->d_name))
			continue;
		fd = syscall(SYS_pidfd_getfd, process, atoi(entry->d_name), 0);
		if (fd < 0) {
			failed = errno;
			continue;
		}
		set__read(fd, sets, nr, sites_left);
		close(fd);
	}
	if (!folder && process >= 0)
		failed = errno;
	if (folder)
		closedir(folder);
	if (process >= 0)
		close(process);
	for (i = 0; i < nr; i++)
		if (failed == EPERM || failed == EACCES)
			set__note(sets[i].set, "The agent may not look at process %d, which has it.", sets[i].owner);
		else
			set__note(sets[i].set, "Process %d has not the set any more: it closed it, or handed it on.", sets[i].owner);
}

void set_counts__read(struct owned_set *sets, size_t nr)
{
	uint32_t sites_left = sites_most();
	size_t first, last, i;

	qsort(sets, nr, sizeof(*sets), owned_set__compare);
	for (first = 0; first < nr; first = last) {
		for (last = first; last < nr && sets[last].owner == sets[first].owner; last++)
			;
		if (sets[first].owner) {
			owner__read(sets + first, last - first, &sites_left);
			continue;
		}
		for (i = first; i < last; i++)
			set__note(sets[i].set, "Who made it has ended, or can't be seen from where the agent runs.");
	}
}
