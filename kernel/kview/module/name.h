/* SPDX-License-Identifier: GPL-2.0 */
/* Which functions have a name. */
#ifndef KVIEW_MODULE_NAME_H
#define KVIEW_MODULE_NAME_H

#include <linux/types.h>

struct kview_symbol {
	char *name;
	unsigned long addr;		/* out: of a function, or of another symbol; 0: none */
	u32 functions;			/* out: how many places in kernel text have the name */
};

int kview_names_lookup(struct kview_symbol *name, u32 n);
unsigned long kview_function_start(unsigned long ip);

#endif
