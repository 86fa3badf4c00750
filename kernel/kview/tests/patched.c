// SPDX-License-Identifier: GPL-2.0
/*
 * Static keys and static calls of the kernel image.  The kernel's own tables tell where in text they are:
 *
 *	jump_entry:		s32 code, s32 target, s64 key	each counted from where it stands
 *	static_call_site:	s32 code, s32 key		likewise
 *
 * The lowest two bits of a key are flags.
 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "harness.h"
#include "patched.h"
#include "text.h"

enum { SHORT = 2, LONGEST = 5, FLAGS = 3, JUMPS_WHEN_OFF = 1 };

struct patched_site {
	unsigned long code, key;
	unsigned long target;		/* of a static key's jump; 0: it is a static call */
	bool jumps_when_off;
};

struct jump_entry {
	int32_t code, target;
	int64_t key;
};

struct static_call_site {
	int32_t code, key;
};

static struct patched_site *sites;
static size_t nr;

/* The table between two symbols: where it is, what is in it, and of how many bytes. */
static void *table(const char *begin, const char *end, unsigned long *at, size_t *size)
{
	void *t;

	*at = symbol(begin);
	CHECK(*at && symbol(end) > *at);
	*size = symbol(end) - *at;
	t = malloc(*size);
	CHECK(t);
	kernel_read(*at, t, *size);
	return t;
}

static int by_code(const void *a, const void *b)
{
	const struct patched_site *x = a, *y = b;

	return x->code < y->code ? -1 : x->code > y->code;
}

static void find_sites(void)
{
	unsigned long at, calls_at;
	size_t size, calls_size, i;
	struct jump_entry *e = table("__start___jump_table", "__stop___jump_table", &at, &size);
	struct static_call_site *c = table("__start_static_call_sites", "__stop_static_call_sites",
					   &calls_at, &calls_size);

	sites = calloc(size / sizeof(*e) + calls_size / sizeof(*c), sizeof(*sites));
	CHECK(sites);
	for (i = 0; i < size / sizeof(*e); i++, at += sizeof(*e))
		sites[nr++] = (struct patched_site){
			.code = at + e[i].code,
			.target = at + offsetof(struct jump_entry, target) + e[i].target,
			.key = (at + offsetof(struct jump_entry, key) + e[i].key) & ~(unsigned long)FLAGS,
			.jumps_when_off = e[i].key & JUMPS_WHEN_OFF,
		};
	for (i = 0; i < calls_size / sizeof(*c); i++, calls_at += sizeof(*c))
		sites[nr++] = (struct patched_site){
			.code = calls_at + c[i].code,
			.key = (calls_at + offsetof(struct static_call_site, key) + c[i].key) &
			       ~(unsigned long)FLAGS,
		};
	qsort(sites, nr, sizeof(*sites), by_code);
	free(e);
	free(c);
}

static size_t length(const struct patched_site *s)
{
	uint8_t first;

	if (!s->target)
		return LONGEST;
	kernel_read(s->code, &first, 1);
	return first == 0x66 || first == 0xeb ? SHORT : LONGEST;
}

const struct patched_site *patched_at(unsigned long addr)
{
	size_t low = 0, high;

	if (!sites)
		find_sites();
	/* the first behind it */
	for (high = nr; low < high;) {
		size_t middle = (low + high) / 2;

		if (sites[middle].code <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low && addr < sites[low - 1].code + length(&sites[low - 1]) ? &sites[low - 1] : NULL;
}

void patched_for(const struct patched_site *site, char *text, size_t size)
{
	char name[128];

	variable_at(site->key, name, sizeof(name));
	snprintf(text, size, "static %s %s", site->target ? "key" : "call", name);
}

bool patched_for_clock(const struct patched_site *site, unsigned long addr, const uint8_t *after)
{
	static const uint8_t nop2[] = { 0x66, 0x90 }, nop5[] = { 0x0f, 0x1f, 0x44, 0, 0 };
	uint8_t wanted[LONGEST];
	int32_t enabled, rel;
	size_t n;

	if (!site->target || site->key != symbol("__sched_clock_stable"))
		return false;
	kernel_read(site->key, &enabled, sizeof(enabled));
	n = length(site);
	rel = site->target - (site->code + n);
	if ((enabled > 0) == site->jumps_when_off) {
		memcpy(wanted, n == SHORT ? nop2 : nop5, n);
	} else {
		wanted[0] = n == SHORT ? 0xeb : 0xe9;
		memcpy(wanted + 1, &rel, n - 1);
	}
	return !memcmp(after - (addr - site->code), wanted, n);
}
