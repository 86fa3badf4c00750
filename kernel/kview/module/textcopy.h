/* SPDX-License-Identifier: GPL-2.0 */
/* Copies of base text with bytes overridden. */
#ifndef KVIEW_MODULE_TEXTCOPY_H
#define KVIEW_MODULE_TEXTCOPY_H

#include <linux/types.h>

struct page;

/*
 * Bytes that differ from the base: a whole instruction, of which the first bytes may be
 * as in the base.  Never crosses a 4 KiB page.
 */
struct kview_ov {
	u32 off;	/* from the kernel image's PUD entry; in a copy, from its start */
	u16 refs;	/* sets that want it */
	u8 len;
	u8 keep;	/* bytes that are the base's */
	u8 byte[8];
};

/* Nothing of it changes but @refs, under kview_lock, and the text in @pages, by the mirror. */
struct kview_copy {
	struct hlist_node node;
	unsigned long va;		/* of the text that it is a copy of */
	struct page *pages;
	u32 order;			/* 0: 4 KiB, 9: 2 MiB */
	u32 refs;			/* regions */
	u32 nov;
	u32 hash;			/* of @ov */
	struct kview_ov ov[];	/* sorted */
};

/*
 * The copy of the text at @va with exactly these overrides, new or shared; for kview_copy_put().
 * @ov: sorted, all within it once @bias is taken from their offsets.  Under kview_lock; takes
 * text_mutex, and sleeps.  -ENOMEM; -EBUSY: somebody has a kprobe on an instruction that is to be
 * overridden, or just before it, or has changed it since.
 */
struct kview_copy *kview_copy_get(unsigned long va, unsigned int order,
				  const struct kview_ov *ov, u32 nov, u32 bias);
/* Under kview_lock, when no CPU can have a translation to it: a grace period after the flush. */
void kview_copy_put(struct kview_copy *c);

/*
 * Repeats a write to base text in all copies of it, but for what they override.  Right after the
 * write, by whoever holds text_mutex.  Interrupts off; kernels on which that could sleep all the same
 * are refused (mirror.c).
 */
void kview_copy_mirror(unsigned long va, size_t len);

/* Does a copy override one of @len bytes from @va on?  Any context but NMI; takes its own lock. */
bool kview_copy_overlaps(unsigned long va, size_t len);

/* How many there are.  No lock: the figure may be out of date. */
u32 kview_copy_count(void);

#endif
