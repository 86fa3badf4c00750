/* SPDX-License-Identifier: GPL-2.0 */
/* What address spaces in views run: page tables, and the text in them that differs from the base's. */
#ifndef KVIEW_MODULE_TEXT_H
#define KVIEW_MODULE_TEXT_H

#include <linux/list.h>
#include <linux/types.h>

#include "pgtable.h"

struct kview_region;

/* Under kview_lock.  Either one view's, or what several views need together: joint.h. */
struct kview_text {
	struct kview_tables tables;
	struct kview_tables plain;	/* the same sizes, the base's memory: see pgtable.c */
	struct kview_region *region[KVIEW_REGIONS];
	struct list_head spaces;	/* that run it, by @text_node */
	bool joint;			/* of several views */
	bool checked;			/* its tables have been, since they changed */
};

/* One that differs in nothing.  No lock held; sleeps.  -ENOMEM: there is nothing to free. */
int kview_text_init(struct kview_text *t, bool joint);
/* Frees all of it, at once: no CPU may have it.  Under kview_lock. */
void kview_text_free(struct kview_text *t);

/* Does anybody run it? */
static inline bool kview_text_shown(const struct kview_text *t)
{
	return !list_empty(&t->spaces);
}

/*
 * On the way from one text to the other: what @t shows, in 4 KiB pages wherever one of the two
 * differs from the base.  So sizes and what is mapped change one after the other.  @step is
 * overwritten; nobody may be on it.
 */
void kview_text_step(struct kview_tables *step, const struct kview_text *t,
		     const struct kview_text *other);

/* In a test build: whoever comes and goes by its tables does it in sound steps. */
void kview_text_check(struct kview_text *t);

#endif
