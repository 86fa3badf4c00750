// SPDX-License-Identifier: GPL-2.0
/*
 * From what the user names to places in kernel text that can take a hook.
 */
#define pr_fmt(fmt) "kview: " fmt

#include <linux/capability.h>
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "kview.h"
#include "barred.h"
#include "event.h"
#include "ioctl.h"
#include "memory.h"
#include "modtext.h"
#include "name.h"
#include "order.h"
#include "pgtable.h"
#include "place.h"
#include "set.h"
#include "symbols.h"
#include "tracepoint.h"

#define KVIEW_NAMES_MAX		(16U << 20)

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

/* Splits @size bytes into @n strings that each end with a NUL. */
static int kview_split_names(char *buf, u32 size, struct kview_symbol *name, u32 n)
{
	char *end = buf + size;
	u32 i;

	for (i = 0; i < n; i++) {
		size_t len = strnlen(buf, end - buf);

		if (!len || buf + len == end)
			return -EINVAL;
		name[i].name = buf;
		buf += len + 1;
	}
	return buf == end ? 0 : -EINVAL;
}

static bool kview_kind_of_function(u32 kind)
{
	return kind == KVIEW_KIND_ENTRY || kind == KVIEW_KIND_RETURN;
}

/* The @i-th is no place.  Returns 0 if it may be left out. */
static int kview_place_refused(struct kview_set_create *arg, struct kview_places *places, u32 i,
			       int error)
{
	if (places->result)
		places->result[i].error = -error;
	if (places->owner) {
		module_put(places->owner[i]);
		places->owner[i] = NULL;
	}
	if (arg->flags & KVIEW_SET_SKIP_UNUSABLE)
		return 0;
	arg->bad = i;
	return error;
}

/* A module's function: where a set with a filter has its hook. */
static int kview_place_in_module(const struct kview_set_create *arg, struct kview_places *places,
				 u32 i, unsigned long addr)
{
	if (!(arg->flags & KVIEW_SET_FILTER)) {
		if (!(arg->flags & KVIEW_SET_SKIP_UNUSABLE))
			pr_info_ratelimited("%s[%d]: %ps: a view has the kernel image's functions alone; KVIEW_SET_FILTER hooks modules', too\n",
					    current->comm, task_tgid_nr(current), (void *)addr);
		return -EOPNOTSUPP;
	}
	if (!places->owner)
		places->owner = kview_calloc(arg->count, sizeof(*places->owner));
	if (!places->owner)
		return -ENOMEM;
	places->place[i].ip = kview_module_entry_ip(addr, &places->owner[i]);
	return places->place[i].ip ? 0 : -EADDRNOTAVAIL;
}

static int kview_place_at(const struct kview_set_create *arg, struct kview_places *places, u32 i,
			  unsigned long addr)
{
	struct kview_place *place = &places->place[i];

	/*
	 * Some of these run between a call and its kretprobe.  Their own return would be put below that in
	 * the kernel's list, but comes first: the kernel would warn, and lose the kretprobe's.
	 */
	if (arg->kind == KVIEW_KIND_RETURN && kview_is_barred(addr))
		return -EADDRNOTAVAIL;
	place->ip = kview_entry_ip(addr);
	/* an address that is not the place itself is where the function begins */
	place->start = addr != place->ip ? addr : 0;
	if (place->ip)
		return 0;
	return kview_is_module_text(addr) ? kview_place_in_module(arg, places, i, addr) :
					    -EADDRNOTAVAIL;
}

static int kview_place_named(const struct kview_set_create *arg, struct kview_places *places, u32 i,
			     const struct kview_symbol *name)
{
	if (arg->kind == KVIEW_KIND_TRACEPOINT)
		return kview_tracepoint_find(name->name, &places->place[i].tp);
	if (arg->kind == KVIEW_KIND_EVENT)
		return kview_event_find(name->name, &places->place[i]);
	if (!name->addr)
		return -ENOENT;
	if (name->functions > 1)
		return -ENOTUNIQ;
	/* it could not be held: by now another one may be where it was */
	if (arg->flags & KVIEW_SET_FILTER && !name->owner && kview_is_module_text(name->addr))
		return -EADDRNOTAVAIL;
	return kview_place_at(arg, places, i, name->addr);
}

static int kview_places_by_name(struct kview_set_create *arg, struct kview_places *places)
{
	struct kview_symbol *name = kview_calloc(arg->count, sizeof(*name));
	char *buf = kview_should_fail() ? NULL : kvmalloc(arg->names_size, GFP_KERNEL_ACCOUNT);
	int ret = -ENOMEM;
	u32 i;

	if (!buf || !name)
		goto out;
	ret = -EFAULT;
	if (copy_from_user(buf, u64_to_user_ptr(arg->names), arg->names_size))
		goto out;
	ret = kview_split_names(buf, arg->names_size, name, arg->count);
	if (!ret && kview_kind_of_function(arg->kind))
		ret = kview_names_lookup(name, arg->count, arg->flags & KVIEW_SET_FILTER);
	kview_test_hold(KVIEW_HOLD_NAMED);
	for (i = 0; i < arg->count && !ret; i++) {
		places->place[i].idx = i;
		ret = kview_place_named(arg, places, i, &name[i]);
		if (ret && ret != -ENOMEM)
			ret = kview_place_refused(arg, places, i, ret);
		cond_resched();
	}
out:
	kview_names_put(name, arg->count);
	kvfree(buf);
	return ret;
}

static int kview_places_by_addr(struct kview_set_create *arg, struct kview_places *places)
{
	const u64 __user *user = u64_to_user_ptr(arg->addrs);
	int ret = 0;
	u32 i;

	for (i = 0; i < arg->count && !ret; i++) {
		u64 addr;

		if (get_user(addr, user + i))
			return -EFAULT;
		places->place[i].idx = i;
		ret = kview_place_at(arg, places, i, addr);
		if (ret && ret != -ENOMEM)
			ret = kview_place_refused(arg, places, i, ret);
		cond_resched();
	}
	return ret;
}

static int kview_place_cmp(const void *a, const void *b)
{
	const struct kview_place *x = a, *y = b;

	cond_resched();
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

	cond_resched();
	return x->idx < y->idx ? -1 : 1;
}

/* Drops unusable and double ones; a double one is an error unless told to skip. */
static int kview_places_compact(struct kview_set_create *arg, struct kview_places *places)
{
	struct kview_place *place = places->place;
	u32 i, n = 0, m = 0;
	int ret;

	/* these first: what is left is in order, mostly */
	for (i = 0; i < arg->count; i++)
		if (place[i].ip || place[i].tp)
			place[n++] = place[i];
	kview_sort(place, n, sizeof(*place), kview_place_cmp);
	for (i = 0; i < n; i++) {
		if (m && place[m - 1].ip == place[i].ip && place[m - 1].tp == place[i].tp &&
		    place[m - 1].call == place[i].call) {
			ret = kview_place_refused(arg, places, place[i].idx, -EEXIST);
			if (ret)
				return ret;
			continue;
		}
		place[m++] = place[i];
	}
	kview_sort(place, m, sizeof(*place), kview_place_cmp_idx);
	places->n = m;
	return m ? 0 : -EADDRNOTAVAIL;
}

/**
 * kview_places_skip() - leave out the place that a set could not be made for
 * @arg:	the request; @arg->bad says which one
 * @places:	the request's
 * @error:	why
 *
 * False when that is not wanted, or when it would not help.
 */
bool kview_places_skip(struct kview_set_create *arg, struct kview_places *places, int error)
{
	u32 i = 0;

	if (!(arg->flags & KVIEW_SET_SKIP_UNUSABLE) || (error != -EADDRNOTAVAIL && error != -EBUSY))
		return false;
	while (i < places->n && places->place[i].idx != arg->bad)
		i++;
	if (i == places->n)
		return false;
	kview_place_refused(arg, places, arg->bad, error);
	places->n--;
	memmove(places->place + i, places->place + i + 1,
		(places->n - i) * sizeof(*places->place));
	arg->bad = ~0U;
	return places->n;
}

/* Tells the user what became of each. */
int kview_places_report(const struct kview_set_create *arg, struct kview_places *places)
{
	bool show = capable(CAP_SYSLOG);	/* as /proc/kallsyms */
	int ret = 0;
	u32 i;

	if (!places->result)
		return 0;
	for (i = 0; i < places->n; i++) {
		const struct kview_place *place = &places->place[i];
		struct kview_site_result *result = &places->result[place->idx];

		result->site = i;
		if (show && place->ip)
			result->addr = place->start ?: kview_function_start(place->ip);
	}
	for (i = 0; i < arg->count && !ret; i++) {
		ret = kview_element_put(arg->results, i, arg->result_size, &places->result[i],
					sizeof(places->result[i]));
		cond_resched();
	}
	return ret;
}

void kview_places_free(struct kview_places *places)
{
	kview_owners_put(places->owner, places->count);
	kvfree(places->place);
	kvfree(places->result);
}

static int kview_places_check(const struct kview_set_create *arg)
{
	if (arg->kind < KVIEW_KIND_ENTRY || arg->kind > KVIEW_KIND_EVENT)
		return -EINVAL;
	if (arg->flags & ~(KVIEW_SET_SKIP_UNUSABLE | KVIEW_SET_FILTER | KVIEW_SET_OFF))
		return -EINVAL;
	if (arg->flags & KVIEW_SET_FILTER && arg->kind != KVIEW_KIND_ENTRY)
		return -EINVAL;
	if (!arg->count || !arg->addrs == !arg->names)
		return -EINVAL;
	if (arg->addrs && (arg->names_size || !kview_kind_of_function(arg->kind)))
		return -EINVAL;
	if (!arg->results != !arg->result_size ||
	    (arg->returns && arg->kind != KVIEW_KIND_RETURN))
		return -EINVAL;
	return arg->count > KVIEW_SET_MAX || arg->names_size > KVIEW_NAMES_MAX ||
	       arg->returns > KVIEW_RETURNS_MAX ? -E2BIG : 0;
}

static int kview_places_alloc(const struct kview_set_create *arg, struct kview_places *places)
{
	u32 i;

	places->place = kview_calloc(arg->count, sizeof(*places->place));
	if (!places->place)
		return -ENOMEM;
	if (!arg->results)
		return 0;
	places->result = kview_calloc(arg->count, sizeof(*places->result));
	if (!places->result)
		return -ENOMEM;
	for (i = 0; i < arg->count; i++)
		places->result[i].site = ~0U;
	return 0;
}

/**
 * kview_places_from_user() - what KVIEW_SET_CREATE names
 * @arg:	the request; @arg->bad is set on error
 * @places:	out; kview_places_free(), on error too
 */
int kview_places_from_user(struct kview_set_create *arg, struct kview_places *places)
{
	int ret = kview_places_check(arg);

	*places = (struct kview_places){ .count = arg->count };
	arg->bad = ~0U;
	if (!ret)
		ret = kview_places_alloc(arg, places);
	if (!ret)
		ret = arg->names ? kview_places_by_name(arg, places) :
				   kview_places_by_addr(arg, places);
	return ret ? ret : kview_places_compact(arg, places);
}
