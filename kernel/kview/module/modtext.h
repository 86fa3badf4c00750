/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of loadable modules: in no view, but within reach of a filter. */
#ifndef KVIEW_MODULE_MODTEXT_H
#define KVIEW_MODULE_MODTEXT_H

#include <linux/types.h>

struct module;

/* Is the address one of a module's code that stays?  Any context, no lock. */
bool kview_is_module_text(unsigned long addr);

/* The name of the module whose code that is, or NULL; of use only to who keeps the module there. */
const char *kview_module_name(unsigned long addr);

/*
 * The module whose code is there, which cannot be unloaded until module_put().  NULL: none, or it is
 * coming or going, or is this one.  Any context but NMI, no lock.
 */
struct module *kview_module_get(unsigned long addr);

/*
 * Where a hook at the entry of a module's function goes, and in @owner the module, which cannot be
 * unloaded until module_put().  0: nowhere, or the module is coming or going, or it is this one;
 * nothing is held.  @addr: the function's, or that place itself.  May sleep; no lock.
 */
unsigned long kview_module_entry_ip(unsigned long addr, struct module **owner);

/* Lets go of @n modules, NULL among them, and frees the array; NULL is fine.  Any lock. */
void kview_owners_put(struct module **owner, u32 n);

#endif
