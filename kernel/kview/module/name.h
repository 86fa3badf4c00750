/* SPDX-License-Identifier: GPL-2.0 */
/* Which functions have a name. */
#ifndef KVIEW_MODULE_NAME_H
#define KVIEW_MODULE_NAME_H

#include <linux/types.h>

struct module;

struct kview_symbol {
	char *name;			/* the caller's; a colon in it becomes a NUL */
	const char *function;		/* out: in @name, what is behind the colon */
	const char *module;		/* out: what is before it, "" for any module; or NULL */
	unsigned long addr;		/* out: of a function, or of another symbol; 0: none */
	u32 functions;			/* out: how many have the name, in the image or in modules */
	struct module *owner;		/* out: held, of a module's; NULL: not asked for, or refused */
};

/*
 * Fills in what @n names stand for; the same one may be there twice.  The caller sets all
 * members but @name to 0 before.  FUNCTION is a module's only if the kernel image has no function
 * of that name; MODULE:FUNCTION and :FUNCTION are modules' alone.  @hold: modules are held while
 * it is certain that the address is the name's.  May sleep; one call may have to walk through
 * all symbols.  -ENOMEM: some may be filled in.  kview_names_put() in any case.
 */
int kview_names_lookup(struct kview_symbol *name, u32 n, bool hold);

/* Lets go of their modules, and frees them; NULL is fine. */
void kview_names_put(struct kview_symbol *name, u32 n);

/* The first address of the function that @ip is in; @ip itself where none is known. */
unsigned long kview_function_start(unsigned long ip);

#endif
