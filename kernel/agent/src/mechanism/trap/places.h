/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The places in files that get probes, for the functions of a recording:
 *
 *	entries		one a function
 *	returns		the same place, of functions whose return address is replaced
 *	sites		each way out of the others
 *	hidden sites	each way out of what calls go on in after they left by a jump, where that
 *			is not measured itself; each once, however many functions go on to it
 */
#ifndef KVIEW_PLACES_H
#define KVIEW_PLACES_H

#include "mechanism/trap/xprobe.h"

struct place {
	const char *path;	/* belongs to the function */
	struct fn_file_id file;	/* that it has to lead to */
	uint64_t offset;	/* in the file */
	uint64_t cookie;	/* see bpf/xprobe.h */
	uint64_t counter;	/* of a static probe: where in the file those who watch it are counted; 0: nowhere */
	bool foreign;		/* something else has a breakpoint there, see code__note */
	bool is_data;		/* the process maps it to read it, too: see code__check */
	bool changed;		/* the process has another instruction there than the file */
};

struct places {
	struct place *all;
	size_t nr, capacity;
};

/*
 * Each adds to places, which begins as all zero; returns 0, or -1 for want of memory.  Entries:
 * of all functions, or of those that have sites alone.
 */
int places__add_entries(struct places *places, const struct xprobe_function *functions, size_t nr);
int places__add_entries_with_sites(struct places *places, const struct xprobe_function *functions,
				   size_t nr);
int places__add_returns(struct places *places, const struct xprobe_function *functions, size_t nr);
int places__add_one(struct places *places, const struct place *place);
int places__add_sites(struct places *places, const struct xprobe_function *functions, size_t nr);
int places__add_hidden(struct places *places, const struct xprobe_function *functions, size_t nr);
void places__free(struct places *places);

/* The path by which the file can be opened in which calls of f go on.  It belongs to f or to to. */
const char *continuation__path(const struct xprobe_function *f,
			       const struct fn_continuation *to);

bool place__is_in_file_of(const struct place *place, const struct place *other);

/*
 * Whether the end of a call of f can be seen after it left by this site, which jumps into
 * another function.  It can if that function is one of functions, or if its ends are followed.
 */
enum xp_after place__after(const struct xprobe_function *functions, size_t nr,
			   const struct xprobe_function *f, const struct fn_site *site);

#endif
