// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "list.h"

static const char *kind_of(const struct kview_item *i)
{
	static const char *const kinds[] = { "-", "entry", "tracepoint", "return", "event" };
	static const char *const targets[] = { "-", "process", "cgroup", "flow" };

	if (i->type == KVIEW_ITEM_SET && i->flags & KVIEW_ITEM_FILTER)
		return "filter";
	if (i->type == KVIEW_ITEM_SET && i->kind < sizeof(kinds) / sizeof(*kinds))
		return kinds[i->kind];
	if (i->type == KVIEW_ITEM_ATTACHMENT && i->kind < sizeof(targets) / sizeof(*targets))
		return targets[i->kind];
	return i->flags & KVIEW_ITEM_CLOSED ? "closed" : "-";
}

static void print(const struct kview_item *i, unsigned long long now)
{
	static const char *const types[] = { "?", "view", "set", "attachment" };
	char target[32] = "-";

	if (i->target_cgroup)
		snprintf(target, sizeof(target), "%llu", i->target_cgroup);
	else if (i->target_pid)
		snprintf(target, sizeof(target), "%u", i->target_pid);
	printf("%6llu %6llu %-10s %-10s %8u %-15.16s %6u %8llu %8u %8u %12llu %-10s %.32s\n", i->id,
	       i->view, types[i->type <= KVIEW_ITEM_ATTACHMENT ? i->type : 0], kind_of(i),
	       i->owner_pid, i->owner_comm, i->owner_uid, (now - i->since_ns) / 1000000000,
	       i->processes, i->sites, i->memory, target, i->name);
}

int list_all(struct kview *k)
{
	struct kview_item *items;
	struct timespec ts;
	size_t n, i;
	int err = kview__list(k, &items, &n);

	if (err) {
		fprintf(stderr, "kviewctl: list: %s%s\n", strerror(-err),
			err == -EPERM ? "; it takes CAP_BPF and CAP_PERFMON" : "");
		return 1;
	}
	clock_gettime(CLOCK_BOOTTIME, &ts);
	printf("%6s %6s %-10s %-10s %8s %-15s %6s %8s %8s %8s %12s %-10s %s\n", "ID", "VIEW", "TYPE",
	       "KIND", "OWNER", "COMMAND", "USER", "SECONDS", "PROCESS", "SITES", "MEMORY", "TARGET",
	       "NAME");
	for (i = 0; i < n; i++)
		print(&items[i], ts.tv_sec * 1000000000ULL + ts.tv_nsec);
	free(items);
	return 0;
}
