/* SPDX-License-Identifier: GPL-2.0 */
/* Which tables an address space runs on. */
#ifndef KVIEW_MODULE_SHOW_H
#define KVIEW_MODULE_SHOW_H

struct kview_space;
struct kview_text;
struct list_head;

/*
 * All under kview_lock, with interrupts on.  The first two take tracepoints_mutex and text_mutex
 * (kview_flip_begin()); not so for current's own address space if nobody shares it.
 */

/*
 * Switches the address space of @s, which is in the hash and is among its @peers, to a text with
 * which all of these can do.  When this returns, every CPU that runs the address space runs that.
 */
void kview_space_show(struct kview_space *s, struct kview_text *text);

/*
 * Of a list of spaces by @todo, that are not among their @peers any more, each puts its address
 * space on what those need, or on the base's; after kview_flip_prepare().  When it returns no CPU
 * runs in them what only the spaces in the list needed; unless there is no memory for a smaller
 * text, or nobody is left in the address space.
 */
void kview_spaces_hide(const struct list_head *list);

/* Flushes all address spaces that run a text, wherever they run, after its tables have changed. */
void kview_text_flush(const struct kview_text *t);

#endif
