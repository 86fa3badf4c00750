// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "lookup/static_probes.h"
#include "mechanism/trap/places.h"

int places__add_one(struct places *places, const struct place *place)
{
	size_t capacity = places->capacity ? 2 * places->capacity : 64;
	struct place *all;

	if (places->nr == places->capacity) {
		all = realloc(places->all, capacity * sizeof(*all));
		if (!all)
			return -1;
		places->all = all;
		places->capacity = capacity;
	}
	places->all[places->nr++] = *place;
	return 0;
}

static int places__add(struct places *places, const char *path, const struct fn_file_id *file,
		       uint64_t offset, uint64_t cookie)
{
	const struct place place = {
		.path = path, .file = *file, .offset = offset, .cookie = cookie,
	};

	return places__add_one(places, &place);
}

static int places__add_static(struct places *places, const struct xprobe_function *f, const struct static_place *at, uint64_t cookie)
{
	const struct place place = {
		.path = f->path, .file = f->file, .offset = at->file_offset, .counter = at->counter_offset, .cookie = cookie,
	};

	return places__add_one(places, &place);
}

void places__free(struct places *places)
{
	free(places->all);
	memset(places, 0, sizeof(*places));
}

static bool function__returns_replaced(const struct fn_function *function)
{
	return function->exit_kind == FN_EXIT_URETPROBE;
}

static uint64_t cookie__of_entry(const struct xprobe_function *f)
{
	enum xp_exit_class class = function__returns_replaced(f->function) ? XP_EXIT_URETPROBE :
				   XP_EXIT_STEPPED;

	return f->id | (uint64_t)class << 16 |
	       (uint64_t)(xprobe__entry_class(f->function) == XP_ENTRY_STEPPED) << 21;
}

static uint64_t cookie__of_site(uint32_t id, const struct fn_site *site, uint64_t distance,
				enum xp_after after)
{
	enum xp_exit_class class = site->cost == FN_INSN_EMULATED ? XP_EXIT_EMULATED :
				   XP_EXIT_STEPPED;

	return id | (uint64_t)class << 16 | (uint64_t)site->kind << 18 |
	       (uint64_t)(site->condition & 15) << 21 | (uint64_t)(site->reg & 31) << 25 |
	       (uint64_t)after << 30 | distance << 32;
}

static int places__add_entry(struct places *places, const struct xprobe_function *f)
{
	size_t i;

	if (!f->begins)
		return places__add(places, f->path, &f->file, f->function->entry_offset, cookie__of_entry(f));
	for (i = 0; i < f->begins->nr; i++)
		if (places__add_static(places, f, &f->begins->places[i], cookie__of_entry(f)))
			return -1;
	return 0;
}

/* Of functions whose return address is replaced, or of the others. */
static int places__add_begins(struct places *places, const struct xprobe_function *functions,
			      size_t nr, bool replaced)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (function__returns_replaced(functions[i].function) == replaced && places__add_entry(places, &functions[i]))
			return -1;
	return 0;
}

int places__add_entries(struct places *places, const struct xprobe_function *functions, size_t nr)
{
	return places__add_begins(places, functions, nr, false) ||
	       places__add_begins(places, functions, nr, true) ? -1 : 0;
}

int places__add_entries_with_sites(struct places *places, const struct xprobe_function *functions,
				   size_t nr)
{
	return places__add_begins(places, functions, nr, false);
}

int places__add_returns(struct places *places, const struct xprobe_function *functions, size_t nr)
{
	return places__add_begins(places, functions, nr, true);
}

bool place__is_in_file_of(const struct place *place, const struct place *other)
{
	return place->file.device == other->file.device &&
	       place->file.inode == other->file.inode && !strcmp(place->path, other->path);
}

const char *continuation__path(const struct xprobe_function *f,
			       const struct fn_continuation *to)
{
	return to->open_path ? to->open_path : f->path;
}

/*
 * Not if it has an indirect jump: that may stay within the function, and a probe
 * on it could not tell.
 */
static bool continuation__can_be_followed(const struct fn_continuation *to)
{
	size_t i;

	for (i = 0; i < to->nr_sites; i++)
		if (to->sites[i].kind == FN_SITE_JUMP_REG)
			return false;
	return to->followed;
}

static bool is_measured(const struct xprobe_function *functions, size_t nr, const char *path,
			uint64_t file_offset)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (functions[i].function->file_offset == file_offset &&
		    !strcmp(functions[i].path, path))
			return true;
	return false;
}

enum xp_after place__after(const struct xprobe_function *functions, size_t nr,
			   const struct xprobe_function *f, const struct fn_site *site)
{
	const struct fn_continuation *to;

	if (site->kind == FN_SITE_RET || site->goes_on < 0 ||
	    (size_t)site->goes_on >= f->function->nr_goes_on)
		return XP_AFTER_UNSEEN;
	to = &f->function->goes_on[site->goes_on];
	if (is_measured(functions, nr, continuation__path(f, to), to->file_offset))
		return XP_AFTER_PROBED;
	return continuation__can_be_followed(to) ? XP_AFTER_FOLLOWED : XP_AFTER_UNSEEN;
}

int places__add_sites(struct places *places, const struct xprobe_function *functions, size_t nr)
{
	size_t i, j;

	for (i = 0; i < nr; i++) {
		const struct xprobe_function *f = &functions[i];

		if (function__returns_replaced(f->function))
			continue;
		for (j = 0; j < f->function->nr_sites; j++) {
			const struct fn_site *site = &f->function->sites[j];
			uint64_t cookie = cookie__of_site(f->id, site,
							  site->address - f->function->address,
							  place__after(functions, nr, f, site));

			if (f->ends ? places__add_static(places, f, &f->ends->places[j], cookie) :
				      places__add(places, f->path, &f->file, site->file_offset, cookie))
				return -1;
		}
	}
	return 0;
}

static bool places__have(const struct places *places, const char *path, uint64_t offset)
{
	size_t i;

	for (i = 0; i < places->nr; i++)
		if (places->all[i].offset == offset && !strcmp(places->all[i].path, path))
			return true;
	return false;
}

/* Adds to reached what calls go on in by these sites; returns how many are new. */
static size_t reach(bool *reached, const struct xprobe_function *functions, size_t nr,
		    const struct xprobe_function *f, const struct fn_site *sites, size_t nr_sites)
{
	size_t new = 0, i;

	for (i = 0; i < nr_sites; i++) {
		if (place__after(functions, nr, f, &sites[i]) != XP_AFTER_FOLLOWED ||
		    reached[sites[i].goes_on])
			continue;
		reached[sites[i].goes_on] = true;
		new++;
	}
	return new;
}

/* sites: those that have visible probes, which end what waits as well. */
static int places__add_hidden_of(struct places *places, const struct places *sites,
				 const struct xprobe_function *functions, size_t nr,
				 const struct xprobe_function *f)
{
	const struct fn_function *function = f->function;
	bool *reached = calloc(function->nr_goes_on, sizeof(*reached));
	size_t new, i, j;
	int result = -1;

	if (!reached)
		return -1;
	new = reach(reached, functions, nr, f, function->sites, function->nr_sites);
	while (new) {
		new = 0;
		for (i = 0; i < function->nr_goes_on; i++)
			if (reached[i])
				new += reach(reached, functions, nr, f,
					     function->goes_on[i].sites,
					     function->goes_on[i].nr_sites);
	}
	for (i = 0; i < function->nr_goes_on; i++) {
		const struct fn_continuation *to = &function->goes_on[i];
		const char *path = continuation__path(f, to);

		for (j = 0; reached[i] && j < to->nr_sites; j++) {
			const struct fn_site *site = &to->sites[j];

			if (places__have(places, path, site->file_offset) ||
			    places__have(sites, path, site->file_offset))
				continue;
			if (places__add(places, path, to->open_path ? &to->file : &f->file,
					site->file_offset,
					cookie__of_site(f->id, site, 0,
							place__after(functions, nr, f, site))))
				goto out;
		}
	}
	result = 0;
out:
	free(reached);
	return result;
}

int places__add_hidden(struct places *places, const struct xprobe_function *functions, size_t nr)
{
	struct places sites = { 0 };
	int result;
	size_t i;

	result = places__add_sites(&sites, functions, nr);
	for (i = 0; i < nr && !result; i++)
		if (functions[i].function->nr_goes_on &&
		    !function__returns_replaced(functions[i].function))
			result = places__add_hidden_of(places, &sites, functions, nr,
						       &functions[i]);
	places__free(&sites);
	return result;
}
