/* SPDX-License-Identifier: GPL-2.0 */
/* Which functions have a name. */
#ifndef KVIEW_MODULE_NAME_H
#define KVIEW_MODULE_NAME_H

#include <linux/types.h>

struct kview_symbol {
	char *name;			/* the caller's */
	unsigned long addr;		/* out: of a function, or of another symbol; 0: none */
	u32 functions;			/* out: how many have the name, in the image or in modules */
};

/*
 * Fills in what @n names stand for; the same one may be there twice.  The caller sets all
 * members but @name to 0 before.  A symbol of a module is used only if the kernel itself has
 * none of that name.  May sleep; one call may have to walk through all symbols.  -ENOMEM:
 * some may be filled in.
 */
int kview_names_lookup(struct kview_symbol *name, u32 n);

/* The first address of the function that @ip is in; @ip itself where none is known. */
unsigned long kview_function_start(unsigned long ip);

#endif
