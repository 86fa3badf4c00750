/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of loadable modules: in no view, but within reach of a filter. */
#ifndef KVIEW_MODULE_MODTEXT_H
#define KVIEW_MODULE_MODTEXT_H

#include <linux/types.h>

struct module;

/* Is the address one of a module's code that stays?  Any context, no lock. */
bool kview_is_module_text(unsigned long addr);

/*
 * Where a hook at the entry of a module's function goes, and in @owner the module, which cannot be
 * unloaded until module_put().  0: nowhere, or the module is coming or going, or it is this one;
 * nothing is held.  @addr: the function's, or that place itself.  May sleep; no lock.
 */
unsigned long kview_module_entry_ip(unsigned long addr, struct module **owner);

/* Lets go of @n modules, NULL among them, and frees the array; NULL is fine.  Any lock. */
void kview_owners_put(struct module **owner, u32 n);

#endif
