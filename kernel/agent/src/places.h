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

#include "xprobe.h"

struct place {
	const char *path;	/* belongs to the function */
	uint64_t offset;	/* in the file */
	uint64_t cookie;	/* see bpf/xprobe.h */
};

struct places {
	struct place *all;
	size_t nr, capacity;
};

/* Each adds to places, which begins as all zero; returns 0, or -1 for want of memory. */
int places__add_entries(struct places *places, const struct xprobe_function *functions, size_t nr);
int places__add_returns(struct places *places, const struct xprobe_function *functions, size_t nr);
int places__add_sites(struct places *places, const struct xprobe_function *functions, size_t nr);
int places__add_hidden(struct places *places, const struct xprobe_function *functions, size_t nr);
void places__free(struct places *places);

/*
 * Whether the end of a call of f, one of functions, can be seen after it left by this site: a
 * jump into what is measured itself, or into what can be followed.
 */
enum xp_after place__after(const struct xprobe_function *functions, size_t nr,
			   const struct xprobe_function *f, const struct fn_site *site);

#endif
