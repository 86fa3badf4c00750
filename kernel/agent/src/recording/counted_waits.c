// SPDX-License-Identifier: GPL-2.0
#include "recording/counted_waits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>

struct counted_waits *counted_waits__new(pid_t pid)
{
	struct counted_waits *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	lock_holders__init(&w->holders, pid);
	w->all = calloc(XP_WAITS, sizeof(*w->all));
	w->keys = calloc(XP_WAITS, sizeof(*w->keys));
	w->values = calloc(XP_WAITS, sizeof(*w->values));
	if (w->all && w->keys && w->values)
		return w;
	counted_waits__free(w);
	return NULL;
}

void counted_waits__free(struct counted_waits *w)
{
	if (!w)
		return;
	free(w->all);
	free(w->keys);
	free(w->values);
	free(w);
}

/* Everything in a map, at most so many; negative: it could not be read. */
int64_t map__read(int fd, void *keys, void *values, size_t room)
{
	uint32_t batch[2] = { 0 }, nr = room;

	/* The kernel's place to go on from is no longer than a key of the map, or a number of 32 bits. */
	if (bpf_map_lookup_batch(fd, NULL, batch, keys, values, &nr, NULL) && errno != ENOENT)
		return -1;
	return nr;
}

/* Whether what was read beside the futex is its holder. */
static bool is_holder(struct counted_waits *w, const struct user_stacks *stacks, const struct xp_wait_key *key)
{
	if (key->holder != XP_HOLDER_PI && !user_stacks__waits_for(stacks, key->user_stack, key->holder))
		return false;
	if (!key->holder_pid)
		return lock_holders__of(&w->holders, key->holder_tid);
	return (pid_t)key->holder_pid == w->holders.pid || lock_holders__share(&w->holders, key->holder_pid, key->lock);
}

static int counted__compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct xp_wait_key));
}

/* Stacks that are the same have one number then, and of holders are left those that are proven: so several waits may be of one kind. */
static size_t counted__join(struct counted_waits *w, int stacks_fd, struct user_stacks *stacks, size_t nr)
{
	size_t i, kept = 0;

	lock_holders__begin(&w->holders);
	for (i = 0; i < nr; i++) {
		struct xp_wait_key *key = &w->all[i].key;

		*key = w->keys[i];
		w->all[i].sum = w->values[i];
		if (key->user_stack > XP_STACK_NO_ROOM)
			key->user_stack = user_stacks__first(stacks, stacks_fd, key->user_stack);
		if (is_holder(w, stacks, key)) {
			if (!key->holder_pid)
				memcpy(key->holder_name, lock_holders__of(&w->holders, key->holder_tid)->name, sizeof(key->holder_name));
			continue;
		}
		key->holder = XP_HOLDER_UNKNOWN;
		key->holder_tid = key->holder_pid = key->holder_function = 0;
		memset(key->holder_name, 0, sizeof(key->holder_name));
	}
	qsort(w->all, nr, sizeof(*w->all), counted__compare);
	for (i = 0; i < nr; i++) {
		if (kept && !counted__compare(&w->all[kept - 1], &w->all[i])) {
			w->all[kept - 1].sum.ns += w->all[i].sum.ns;
			w->all[kept - 1].sum.count += w->all[i].sum.count;
		} else {
			w->all[kept++] = w->all[i];
		}
	}
	return kept;
}

int64_t counted_waits__read(struct counted_waits *w, const struct wait_maps *maps, struct user_stacks *stacks)
{
	int64_t nr = map__read(maps->waits_fd, w->keys, w->values, XP_WAITS);

	return nr < 0 ? nr : (int64_t)counted__join(w, maps->user_stacks_fd, stacks, nr);
}
