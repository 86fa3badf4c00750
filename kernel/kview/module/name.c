// SPDX-License-Identifier: GPL-2.0
/*
 * Which functions have a name.  Static functions of different files can have the same one:
 * who asks for it must hear that, not be given one of them.
 */
#include <linux/bsearch.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/version.h>

#include "memory.h"
#include "modtext.h"
#include "name.h"
#include "symbols.h"

/* From this many names on, one pass over all symbols is faster than looking up each. */
#define KVIEW_BULK_NAMES	4

static void kview_name_seen(struct kview_symbol *n, unsigned long addr)
{
	if ((addr >= kview_sym.text_start && addr < kview_sym.text_end) ||
	    kview_is_module_text(addr)) {
		n->functions += !n->functions || addr != n->addr;
		n->addr = addr;
	} else if (!n->addr) {
		n->addr = addr;
	}
}

static int kview_match_seen(void *data, unsigned long addr)
{
	kview_name_seen(data, addr);
	return 0;
}

/* Different names, sorted: those of which nothing is known yet. */
struct kview_bulk {
	struct kview_symbol **name;
	u32 n;
};

static int kview_name_cmp(const void *a, const void *b)
{
	return strcmp((*(struct kview_symbol *const *)a)->name,
		      (*(struct kview_symbol *const *)b)->name);
}

static int kview_name_cmp_key(const void *key, const void *b)
{
	return strcmp(key, (*(struct kview_symbol *const *)b)->name);
}

static int kview_symbol_seen(void *data, const char *name,
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
			     struct module *mod,
#endif
			     unsigned long addr)
{
	const struct kview_bulk *bulk = data;
	struct kview_symbol **n = bsearch(name, bulk->name, bulk->n, sizeof(*n), kview_name_cmp_key);

	if (n)
		kview_name_seen(*n, addr);
	return 0;
}

static void kview_each_of_image(struct kview_bulk *bulk)
{
	kview_sym.kallsyms_on_each_symbol(kview_symbol_seen, bulk);
}

/* Whoever loads or unloads a module waits for the end of this. */
static void kview_each_of_modules(struct kview_bulk *bulk)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
	kview_sym.module_kallsyms_on_each_symbol(kview_symbol_seen, bulk);
#else
	kview_sym.module_kallsyms_on_each_symbol(NULL, kview_symbol_seen, bulk);
#endif
}

static int kview_lookup_bulk(struct kview_symbol *name, u32 n,
			     void (*each)(struct kview_bulk *bulk))
{
	struct kview_symbol **sorted = kview_calloc(n, sizeof(*sorted));
	struct kview_bulk bulk = { .name = kview_calloc(n, sizeof(*bulk.name)) };
	u32 i, m = 0, unknown = 0;
	int ret = -ENOMEM;

	if (!sorted || !bulk.name)
		goto out;
	for (i = 0; i < n; i++)
		if (!name[i].addr)
			sorted[unknown++] = &name[i];
	sort(sorted, unknown, sizeof(*sorted), kview_name_cmp, NULL);
	for (i = 0; i < unknown; i++)
		if (!i || strcmp(sorted[i - 1]->name, sorted[i]->name))
			bulk.name[bulk.n++] = sorted[i];
	each(&bulk);
	/* those that were asked for twice */
	for (i = 0; i < unknown; i++) {
		if (strcmp(bulk.name[m]->name, sorted[i]->name))
			m++;
		sorted[i]->addr = bulk.name[m]->addr;
		sorted[i]->functions = bulk.name[m]->functions;
	}
	ret = 0;
out:
	kvfree(sorted);
	kvfree(bulk.name);
	return ret;
}

/* Fills in what the names stand for; all else in them is 0. */
int kview_names_lookup(struct kview_symbol *name, u32 n)
{
	bool all = true;
	int ret;
	u32 i;

	if (n >= KVIEW_BULK_NAMES || !kview_sym.kallsyms_on_each_match) {
		ret = kview_lookup_bulk(name, n, kview_each_of_image);
		if (ret)
			return ret;
	} else {
		for (i = 0; i < n; i++)
			kview_sym.kallsyms_on_each_match(kview_match_seen, name[i].name, &name[i]);
	}
	for (i = 0; i < n; i++)
		all &= !!name[i].addr;
	return all ? 0 : kview_lookup_bulk(name, n, kview_each_of_modules);
}

/* The function that an address is in. */
unsigned long kview_function_start(unsigned long ip)
{
	unsigned long size, offset;

	return kview_sym.kallsyms_lookup_size_offset(ip, &size, &offset) ? ip - offset : ip;
}
