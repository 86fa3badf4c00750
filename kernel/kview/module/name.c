// SPDX-License-Identifier: GPL-2.0
/*
 * Which functions have a name.  Static functions of different files can have the same one:
 * who asks for it must hear that, not be given one of them.
 */
#include <linux/bsearch.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/version.h>

#include "memory.h"
#include "modtext.h"
#include "name.h"
#include "order.h"
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

/* Different names, sorted: those of which no function is known yet. */
struct kview_bulk {
	struct kview_symbol **name;
	u32 n;
	bool modules;			/* it is these that are walked through */
	bool hold;
};

/* By function, then by module. */
static int kview_name_cmp(const void *a, const void *b)
{
	const struct kview_symbol *x = *(struct kview_symbol *const *)a;
	const struct kview_symbol *y = *(struct kview_symbol *const *)b;
	int ret = strcmp(x->function, y->function);

	if (ret || (!x->module && !y->module))
		return ret;
	return !x->module ? -1 : !y->module ? 1 : strcmp(x->module, y->module);
}

static int kview_name_order(const void *a, const void *b)
{
	cond_resched();
	return kview_name_cmp(a, b);
}

static int kview_name_cmp_key(const void *key, const void *b)
{
	return strcmp(key, (*(struct kview_symbol *const *)b)->function);
}

static void kview_bulk_seen(const struct kview_bulk *bulk, const char *function,
			    const char *module, unsigned long addr)
{
	struct kview_symbol key = { .function = function, .module = module }, *k = &key, **n;

	n = bsearch(&k, bulk->name, bulk->n, sizeof(*n), kview_name_cmp);
	if (!n)
		return;
	kview_name_seen(*n, addr);
	if (bulk->hold && (*n)->functions == 1 && !(*n)->owner)
		(*n)->owner = kview_module_get(addr);
}

static int kview_symbol_seen(void *data, const char *name,
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
			     struct module *mod,
#endif
			     unsigned long addr)
{
	const struct kview_bulk *bulk = data;
	const char *in;

	/* most are nobody's */
	if (!bsearch(name, bulk->name, bulk->n, sizeof(*bulk->name), kview_name_cmp_key))
		return 0;
	kview_bulk_seen(bulk, name, NULL, addr);
	/* the list of modules is locked: until then it is this one's address */
	in = bulk->modules ? kview_module_name(addr) : NULL;
	if (in) {
		kview_bulk_seen(bulk, name, "", addr);
		kview_bulk_seen(bulk, name, in, addr);
	}
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

/* What was asked for a second time. */
static void kview_name_copy(struct kview_symbol *to, const struct kview_symbol *from)
{
	if (to == from)
		return;
	to->addr = from->addr;
	to->functions = from->functions;
	to->owner = from->owner;
	if (to->owner)
		__module_get(to->owner);
}

static int kview_lookup_bulk(struct kview_symbol *name, u32 n, bool modules, bool hold)
{
	struct kview_symbol **sorted = kview_calloc(n, sizeof(*sorted));
	struct kview_bulk bulk = {
		.name = kview_calloc(n, sizeof(*bulk.name)),
		.modules = modules,
		.hold = hold && modules,
	};
	u32 i, m = 0, unknown = 0;
	int ret = -ENOMEM;

	if (!sorted || !bulk.name)
		goto out;
	for (i = 0; i < n; i++)
		if (!name[i].functions && (modules || !name[i].module))
			sorted[unknown++] = &name[i];
	kview_sort(sorted, unknown, sizeof(*sorted), kview_name_order);
	for (i = 0; i < unknown; i++)
		if (!i || kview_name_cmp(&sorted[i - 1], &sorted[i]))
			bulk.name[bulk.n++] = sorted[i];
	if (modules)
		kview_each_of_modules(&bulk);
	else if (bulk.n)
		kview_each_of_image(&bulk);
	for (i = 0; i < unknown; i++) {
		if (kview_name_cmp(&bulk.name[m], &sorted[i]))
			m++;
		kview_name_copy(sorted[i], bulk.name[m]);
	}
	ret = 0;
out:
	kvfree(sorted);
	kvfree(bulk.name);
	return ret;
}

static void kview_name_split(struct kview_symbol *name)
{
	char *colon = strchr(name->name, ':');

	name->function = name->name;
	if (!colon)
		return;
	*colon = '\0';
	name->module = name->name;
	name->function = colon + 1;
}

/* Fills in what the names stand for; all else in them is 0. */
int kview_names_lookup(struct kview_symbol *name, u32 n, bool hold)
{
	bool all = true;
	int ret;
	u32 i;

	for (i = 0; i < n; i++)
		kview_name_split(&name[i]);
	if (n >= KVIEW_BULK_NAMES || !kview_sym.kallsyms_on_each_match) {
		ret = kview_lookup_bulk(name, n, false, hold);
		if (ret)
			return ret;
	} else {
		for (i = 0; i < n; i++)
			if (!name[i].module)
				kview_sym.kallsyms_on_each_match(kview_match_seen, name[i].function,
								 &name[i]);
	}
	for (i = 0; i < n; i++)
		all &= !!name[i].functions;
	return all ? 0 : kview_lookup_bulk(name, n, true, hold);
}

void kview_names_put(struct kview_symbol *name, u32 n)
{
	u32 i;

	for (i = 0; name && i < n; i++)
		module_put(name[i].owner);
	kvfree(name);
}

/* The function that an address is in. */
unsigned long kview_function_start(unsigned long ip)
{
	unsigned long size, offset;

	return kview_sym.kallsyms_lookup_size_offset(ip, &size, &offset) ? ip - offset : ip;
}
