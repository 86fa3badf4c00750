// SPDX-License-Identifier: GPL-2.0
/*
 * From what the user names to places in kernel text that can take a hook.
 */
#include <linux/bsearch.h>
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "kview.h"
#include "event.h"
#include "memory.h"
#include "pgtable.h"
#include "place.h"
#include "set.h"
#include "symbols.h"
#include "tracepoint.h"

#define KVIEW_NAMES_MAX		(16U << 20)

/* From how many names on one pass over all symbols beats looking up each. */
#define KVIEW_BULK_NAMES	4

static const u8 kview_nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

/**
 * kview_entry_ip() - the place of a hook at a function's entry
 * @addr: of the function, or of the place itself
 *
 * 0 when there is none: not kernel text, not traceable, or text that runs before
 * the kernel is in a state to be traced.
 */
unsigned long kview_entry_ip(unsigned long addr)
{
	unsigned long ip;
	const u8 *base;

	if (addr < kview_sym.text_start || addr >= kview_sym.text_end)
		return 0;
	ip = kview_sym.ftrace_location(addr);
	if (!ip || (ip >= kview_sym.noinstr_start && ip < kview_sym.noinstr_end) ||
	    (ip >= kview_sym.entry_start && ip < kview_sym.entry_end))
		return 0;
	/* Two pages' translations change one after the other. */
	if (offset_in_page(ip) > PAGE_SIZE - sizeof(kview_nop5))
		return 0;
	/* a NOP, or another tracer's call, or one that is just being written */
	base = kview_base_text(ip);
	if (memcmp(base, kview_nop5, sizeof(kview_nop5)) &&
	    base[0] != CALL_INSN_OPCODE && base[0] != INT3_INSN_OPCODE)
		return 0;
	return ip;
}

struct kview_name {
	const char *name;
	u32 idx;
};

static int kview_name_cmp(const void *a, const void *b)
{
	return strcmp(((const struct kview_name *)a)->name, ((const struct kview_name *)b)->name);
}

/* All names at once; addr[i] stays 0 for a name that is not found. */
static int kview_lookup_bulk(char **name, unsigned long *addr, u32 n)
{
	struct kview_name *sorted = kview_calloc(n, sizeof(*sorted));
	const char **names = kview_calloc(n, sizeof(*names));
	unsigned long *addrs = kview_calloc(n, sizeof(*addrs));
	int ret = -ENOMEM;
	u32 i, m = 0;

	if (!sorted || !names || !addrs)
		goto out;
	for (i = 0; i < n; i++)
		sorted[i] = (struct kview_name){ name[i], i };
	sort(sorted, n, sizeof(*sorted), kview_name_cmp, NULL);
	for (i = 0; i < n; i++)
		if (!m || strcmp(names[m - 1], sorted[i].name))
			names[m++] = sorted[i].name;
	kview_sym.ftrace_lookup_symbols(names, m, addrs);
	for (i = 0, m = 0; i < n; i++) {
		if (i && strcmp(names[m], sorted[i].name))
			m++;
		addr[sorted[i].idx] = addrs[m];
	}
	ret = 0;
out:
	kvfree(sorted);
	kvfree(names);
	kvfree(addrs);
	return ret;
}

static int kview_lookup_names(char **name, unsigned long *addr, u32 n)
{
	u32 i;

	if (n >= KVIEW_BULK_NAMES)
		return kview_lookup_bulk(name, addr, n);
	for (i = 0; i < n; i++)
		addr[i] = kview_sym.kallsyms_lookup_name(name[i]);
	return 0;
}

/* Splits @size bytes into @n strings that each end with a NUL. */
static int kview_split_names(char *buf, u32 size, char **name, u32 n)
{
	char *end = buf + size;
	u32 i;

	for (i = 0; i < n; i++) {
		size_t len = strnlen(buf, end - buf);

		if (!len || buf + len == end)
			return -EINVAL;
		name[i] = buf;
		buf += len + 1;
	}
	return buf == end ? 0 : -EINVAL;
}

static bool kview_kind_of_function(u32 kind)
{
	return kind == KVIEW_KIND_ENTRY || kind == KVIEW_KIND_RETURN;
}

static int kview_places_by_name(struct kview_set_create *arg, struct kview_place *place)
{
	unsigned long *addr = kview_calloc(arg->count, sizeof(*addr));
	char **name = kview_calloc(arg->count, sizeof(*name));
	char *buf = kview_should_fail() ? NULL : kvmalloc(arg->names_size, GFP_KERNEL_ACCOUNT);
	int ret = -ENOMEM;
	u32 i;

	if (!buf || !addr || !name)
		goto out;
	ret = -EFAULT;
	if (copy_from_user(buf, u64_to_user_ptr(arg->names), arg->names_size))
		goto out;
	ret = kview_split_names(buf, arg->names_size, name, arg->count);
	if (!ret && kview_kind_of_function(arg->kind))
		ret = kview_lookup_names(name, addr, arg->count);
	for (i = 0; i < arg->count && !ret; i++) {
		place[i].idx = i;
		if (kview_kind_of_function(arg->kind)) {
			/* the bulk search knows only what can be traced */
			if (!addr[i] && !(arg->flags & KVIEW_SET_SKIP_UNUSABLE))
				addr[i] = kview_sym.kallsyms_lookup_name(name[i]);
			place[i].ip = kview_entry_ip(addr[i]);
			ret = !addr[i] ? -ENOENT : place[i].ip ? 0 : -EADDRNOTAVAIL;
		} else if (arg->kind == KVIEW_KIND_TRACEPOINT) {
			ret = kview_tracepoint_find(name[i], &place[i].tp);
		} else {
			ret = kview_event_find(name[i], &place[i]);
		}
		if (ret)
			arg->bad = i;
		if (ret && arg->flags & KVIEW_SET_SKIP_UNUSABLE)
			ret = 0;
		cond_resched();
	}
out:
	kvfree(buf);
	kvfree(addr);
	kvfree(name);
	return ret;
}

static int kview_places_by_addr(struct kview_set_create *arg, struct kview_place *place)
{
	const u64 __user *user = u64_to_user_ptr(arg->addrs);
	u32 i;

	for (i = 0; i < arg->count; i++) {
		u64 addr;

		if (get_user(addr, user + i))
			return -EFAULT;
		place[i].idx = i;
		place[i].ip = kview_entry_ip(addr);
		if (!place[i].ip && !(arg->flags & KVIEW_SET_SKIP_UNUSABLE)) {
			arg->bad = i;
			return -EADDRNOTAVAIL;
		}
		cond_resched();
	}
	return 0;
}

static int kview_place_cmp(const void *a, const void *b)
{
	const struct kview_place *x = a, *y = b;

	if (x->ip != y->ip)
		return x->ip < y->ip ? -1 : 1;
	if (x->tp != y->tp)
		return x->tp < y->tp ? -1 : 1;
	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	return x->idx < y->idx ? -1 : 1;
}

static int kview_place_cmp_idx(const void *a, const void *b)
{
	const struct kview_place *x = a, *y = b;

	return x->idx < y->idx ? -1 : 1;
}

/* Drops unusable and double ones; a double one is an error unless told to skip. */
static int kview_places_compact(struct kview_set_create *arg, struct kview_place *place, u32 *n)
{
	u32 i, m = 0;

	sort(place, arg->count, sizeof(*place), kview_place_cmp, NULL);
	for (i = 0; i < arg->count; i++) {
		if (!place[i].ip && !place[i].tp)
			continue;
		if (m && place[m - 1].ip == place[i].ip && place[m - 1].tp == place[i].tp &&
		    place[m - 1].call == place[i].call) {
			if (arg->flags & KVIEW_SET_SKIP_UNUSABLE)
				continue;
			arg->bad = place[i].idx;
			return -EEXIST;
		}
		place[m++] = place[i];
	}
	sort(place, m, sizeof(*place), kview_place_cmp_idx, NULL);
	*n = m;
	return m ? 0 : -EADDRNOTAVAIL;
}

/**
 * kview_places_from_user() - what KVIEW_SET_CREATE names
 * @arg:	the request; @arg->bad is set on error
 * @places:	out: the places, in the user's order; kvfree()
 * @n:		out: how many
 */
int kview_places_from_user(struct kview_set_create *arg, struct kview_place **places, u32 *n)
{
	struct kview_place *place;
	int ret;

	arg->bad = ~0U;
	if (arg->kind < KVIEW_KIND_ENTRY || arg->kind > KVIEW_KIND_EVENT)
		return -EINVAL;
	if (arg->flags & ~(KVIEW_SET_SKIP_UNUSABLE | KVIEW_SET_FILTER))
		return -EINVAL;
	if (arg->flags & KVIEW_SET_FILTER && arg->kind != KVIEW_KIND_ENTRY)
		return -EINVAL;
	if (!arg->count || !arg->addrs == !arg->names)
		return -EINVAL;
	if (arg->addrs && (arg->names_size || !kview_kind_of_function(arg->kind)))
		return -EINVAL;
	if (arg->count > KVIEW_SET_MAX || arg->names_size > KVIEW_NAMES_MAX)
		return -E2BIG;

	place = kview_calloc(arg->count, sizeof(*place));
	if (!place)
		return -ENOMEM;
	ret = arg->names ? kview_places_by_name(arg, place) : kview_places_by_addr(arg, place);
	if (!ret)
		ret = kview_places_compact(arg, place, n);
	if (ret) {
		kvfree(place);
		return ret;
	}
	*places = place;
	return 0;
}
