// SPDX-License-Identifier: GPL-2.0
/*
 * What within_kprobe_blacklist() says, for functions by the ten thousand.
 *
 * For each address the kernel goes through a list of hundreds of ranges, and unpacks the name of
 * the function: "f.isra.0", which the compiler made of f, is barred where f is.  For all functions
 * of the kernel this takes longer than all else that a set of their returns needs.  The image's
 * ranges are as they are from boot on, only modules bring ranges and take them away.  So those of
 * the image are copied when the module is loaded, with those of barred functions' parts, and sorted.
 * All other addresses are the kernel's to judge, and so are all where it does not have the list
 * under the name that we know.
 */
#include <linux/bsearch.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/version.h>

#include "barred.h"
#include "memory.h"
#include "order.h"
#include "symbols.h"

struct kview_range {
	unsigned long start, end;
};

/* Sorted, and none overlaps another.  NULL: the kernel is asked. */
static struct kview_range *kview_barred;
static u32 kview_nbarred;

/* While they are looked up. */
struct kview_bar {
	char **name;			/* of functions in the kernel's list, sorted */
	struct kview_range *range;
	u32 listed, n, room;		/* there were @n, also where that is more than @room */
};

static bool kview_in_image(unsigned long addr)
{
	return addr >= kview_sym.text_start && addr < kview_sym.text_end;
}

static void kview_bar_add(struct kview_bar *bar, unsigned long start, unsigned long end)
{
	if (bar->n < bar->room)
		bar->range[bar->n] = (struct kview_range){ start, end };
	bar->n++;
}

static void kview_bar_list(struct kview_bar *bar)
{
	const struct kprobe_blacklist_entry *e;

	bar->n = 0;
	mutex_lock(kview_sym.kprobe_mutex);
	list_for_each_entry(e, kview_sym.kprobe_blacklist, list)
		if (kview_in_image(e->start_addr))
			kview_bar_add(bar, e->start_addr, e->end_addr);
	mutex_unlock(kview_sym.kprobe_mutex);
	bar->listed = min(bar->n, bar->room);
}

static int kview_bar_name_cmp(const void *a, const void *b)
{
	cond_resched();
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int kview_bar_names(struct kview_bar *bar)
{
	u32 i;

	bar->name = kview_calloc(bar->listed, sizeof(*bar->name));
	if (!bar->name)
		return -ENOMEM;
	for (i = 0; i < bar->listed; i++) {
		bar->name[i] = kview_should_fail() ? NULL :
			       kasprintf(GFP_KERNEL, "%ps", (void *)bar->range[i].start);
		if (!bar->name[i])
			return -ENOMEM;
	}
	kview_sort(bar->name, bar->listed, sizeof(*bar->name), kview_bar_name_cmp);
	return 0;
}

/* A part's name is that of its function up to the dot. */
static int kview_bar_part_cmp(const void *key, const void *b)
{
	const char *part = key, *function = *(char *const *)b;
	size_t len = strchr(part, '.') - part;

	return strncmp(part, function, len) ?: -(int)(function[len] != '\0');
}

static int kview_bar_part(void *data, const char *name,
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
			  struct module *mod,
#endif
			  unsigned long addr)
{
	struct kview_bar *bar = data;
	unsigned long size, offset;

	if (!kview_in_image(addr) || !strchr(name, '.') ||
	    !bsearch(name, bar->name, bar->listed, sizeof(*bar->name), kview_bar_part_cmp))
		return 0;
	if (kview_sym.kallsyms_lookup_size_offset(addr, &size, &offset))
		kview_bar_add(bar, addr, addr + size);
	return 0;
}

static int kview_range_cmp(const void *a, const void *b)
{
	const struct kview_range *x = a, *y = b;

	cond_resched();
	return x->start != y->start ? (x->start < y->start ? -1 : 1) :
	       x->end == y->end ? 0 : x->end < y->end ? -1 : 1;
}

static void kview_bar_unite(struct kview_bar *bar)
{
	u32 i, n = 0;

	kview_sort(bar->range, bar->n, sizeof(*bar->range), kview_range_cmp);
	for (i = 0; i < bar->n; i++) {
		struct kview_range *last = n ? &bar->range[n - 1] : NULL;

		if (last && bar->range[i].start < last->end)
			last->end = max(last->end, bar->range[i].end);
		else
			bar->range[n++] = bar->range[i];
	}
	bar->n = n;
}

static int kview_bar_fill(struct kview_bar *bar)
{
	int ret;

	bar->range = kview_calloc(bar->room, sizeof(*bar->range));
	if (!bar->range)
		return -ENOMEM;
	kview_bar_list(bar);
	ret = kview_bar_names(bar);
	if (!ret)
		kview_sym.kallsyms_on_each_symbol(kview_bar_part, bar);
	return ret;
}

static void kview_bar_names_free(struct kview_bar *bar)
{
	u32 i;

	for (i = 0; bar->name && i < bar->listed; i++)
		kfree(bar->name[i]);
	kvfree(bar->name);
	bar->name = NULL;
}

int kview_barred_init(void)
{
	struct kview_bar bar = {};
	int ret;

	if (!kview_sym.kprobe_blacklist || !kview_sym.kprobe_mutex)
		return 0;
	kview_bar_list(&bar);
	/* there are few parts: mostly once is enough */
	do {
		kvfree(bar.range);
		bar.room = 2 * bar.n + 1;
		ret = kview_bar_fill(&bar);
		kview_bar_names_free(&bar);
	} while (!ret && bar.n > bar.room);
	if (ret) {
		kvfree(bar.range);
		return ret;
	}
	kview_bar_unite(&bar);
	kview_barred = bar.range;
	kview_nbarred = bar.n;
	return 0;
}

void kview_barred_exit(void)
{
	kvfree(kview_barred);
	kview_barred = NULL;
}

bool kview_is_barred(unsigned long addr)
{
	u32 lo = 0, hi = kview_nbarred;

	if (!kview_barred || !kview_in_image(addr))
		return kview_sym.within_kprobe_blacklist(addr);
	while (lo < hi) {	/* the first range behind addr */
		u32 mid = (lo + hi) / 2;

		if (kview_barred[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && addr < kview_barred[lo - 1].end;
}

#ifdef KVIEW_TESTS
static int kview_barred_compare(void *data, const char *name,
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
				struct module *mod,
#endif
				unsigned long addr)
{
	u32 *n = data;

	if (!kview_in_image(addr) || !kview_sym.ftrace_location(addr))
		return 0;
	n[0] += kview_is_barred(addr) != kview_sym.within_kprobe_blacklist(addr);
	n[1] += kview_is_barred(addr);
	n[2]++;
	return 0;
}

static int kview_barred_show(char *buf, const struct kernel_param *kp)
{
	u32 n[3] = {};

	kview_sym.kallsyms_on_each_symbol(kview_barred_compare, n);
	return sysfs_emit(buf, "%u %u %u\n", n[0], n[1], n[2]);
}

static const struct kernel_param_ops kview_barred_ops = { .get = kview_barred_show };
module_param_cb(barred, &kview_barred_ops, NULL, 0400);
MODULE_PARM_DESC(barred, "for tests: of how many functions we say something else than the kernel, how many we bar, and how many there are");
#endif
