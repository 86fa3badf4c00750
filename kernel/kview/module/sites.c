// SPDX-License-Identifier: GPL-2.0
/* What sites a set has, and what each of them counted, for user space. */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint-defs.h>
#include <linux/uaccess.h>

#include "kview.h"
#include "event.h"
#include "ioctl.h"
#include "name.h"
#include "set.h"
#include "sites.h"
#include "spot.h"
#include "tally.h"
#include "tracepoint.h"

/* Counters that are summed up at a time, without memory for it; all in one chunk. */
#define KVIEW_HITS_BATCH	64U
static_assert(KVIEW_HITS_CHUNK % KVIEW_HITS_BATCH == 0);

static bool kview_sites_in_range(const struct kview_set *set, u32 first, u32 count)
{
	return first <= set->nsites && count <= set->nsites - first;
}

static int kview_hits_to_user(struct kview_set *set, const struct kview_hits *arg)
{
	u64 __user *buf = u64_to_user_ptr(arg->buf);
	u32 i, n, end = arg->first + arg->count;
	u64 sum[KVIEW_HITS_BATCH];
	int ret;

	if (arg->reserved)
		return -EINVAL;
	if (!kview_sites_in_range(set, arg->first, arg->count))
		return -ERANGE;
	if (arg->cpu < -1 || (arg->cpu >= 0 && (arg->cpu >= (s32)nr_cpu_ids ||
						!cpu_possible(arg->cpu))))
		return -ERANGE;
	for (i = arg->first; i < end; i += n, buf += n) {
		n = min(end - i, KVIEW_HITS_BATCH - i % KVIEW_HITS_BATCH);
		ret = kview_set_hits(set, i, n, arg->cpu, sum);
		if (ret)
			return ret;
		if (copy_to_user(buf, sum, n * sizeof(*sum)))
			return -EFAULT;
		cond_resched();
	}
	return 0;
}

static int kview_losses_to_user(struct kview_set *set, const struct kview_losses *arg)
{
	int ret = 0;
	u32 i;

	if (arg->reserved || !arg->size)
		return -EINVAL;
	if (!kview_sites_in_range(set, arg->first, arg->count))
		return -ERANGE;
	for (i = 0; i < arg->count && !ret; i++) {
		const atomic64_t *lost = set->lost + (arg->first + i) * KVIEW_LOSS_KINDS;
		struct kview_site_losses l = {
			.irq = atomic64_read(&lost[KVIEW_LOST_IRQ]),
			.nested = atomic64_read(&lost[KVIEW_LOST_NESTED]),
			.borrowed = atomic64_read(&lost[KVIEW_LOST_BORROWED]),
			.missed = atomic64_read(&lost[KVIEW_LOST_MISSED]),
			.returns = atomic64_read(&lost[KVIEW_LOST_RETURN]),
			.records = atomic64_read(&lost[KVIEW_LOST_RECORD]),
		};

		ret = kview_element_put(arg->buf, i, arg->size, &l, sizeof(l));
		cond_resched();
	}
	return ret;
}

/* What is read of the set is as it was made until its file is closed: no lock. */
static void kview_site_name_fill(const struct kview_set *set, u32 i, bool addresses,
				 struct kview_site_name *site)
{
	memset(site, 0, sizeof(*site));
	if (set->kind == KVIEW_KIND_EVENT)
		kview_event_name(set, i, site->name, sizeof(site->name));
	else if (set->kind == KVIEW_KIND_TRACEPOINT)
		strscpy(site->name, set->tps[i]->tp->name, sizeof(site->name));
	else if (addresses)
		/* a function has one place: the @i-th */
		site->addr = kview_function_start(set->hooked[i].spot->ip);
}

static int kview_sites_to_user(const struct kview_set *set, const struct kview_sites *arg)
{
	bool addresses = capable(CAP_SYSLOG);	/* as /proc/kallsyms */
	struct kview_site_name site;
	int ret = 0;
	u32 i;

	if (arg->reserved || !arg->size)
		return -EINVAL;
	if (!kview_sites_in_range(set, arg->first, arg->count))
		return -ERANGE;
	for (i = 0; i < arg->count && !ret; i++) {
		kview_site_name_fill(set, arg->first + i, addresses, &site);
		ret = kview_element_put(arg->buf, i, arg->size, &site, sizeof(site));
		cond_resched();
	}
	return ret;
}

long kview_sites_ioctl(struct kview_set *set, unsigned int cmd, void __user *user)
{
	struct kview_losses losses;
	struct kview_sites sites;
	struct kview_hits hits;
	int ret;

	switch (KVIEW_ANY_SIZE(cmd)) {
	case KVIEW_ANY_SIZE(KVIEW_HITS):
		ret = kview_arg_get(cmd, &hits, sizeof(hits), user);
		return ret ? ret : kview_hits_to_user(set, &hits);
	case KVIEW_ANY_SIZE(KVIEW_LOSSES):
		ret = kview_arg_get(cmd, &losses, sizeof(losses), user);
		return ret ? ret : kview_losses_to_user(set, &losses);
	case KVIEW_ANY_SIZE(KVIEW_SITES):
		ret = kview_arg_get(cmd, &sites, sizeof(sites), user);
		return ret ? ret : kview_sites_to_user(set, &sites);
	}
	return -ENOTTY;
}
