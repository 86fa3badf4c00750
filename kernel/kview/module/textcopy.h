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

struct kview_copy {
	struct hlist_node node;
	unsigned long va;
	struct page *pages;
	u32 order;
	u32 refs;
	u32 nov;
	u32 hash;
	struct kview_ov ov[];	/* sorted */
};

struct kview_copy *kview_copy_get(unsigned long va, unsigned int order,
				  const struct kview_ov *ov, u32 nov, u32 bias);
void kview_copy_put(struct kview_copy *c);
void kview_copy_mirror(unsigned long va, size_t len);
bool kview_copy_overlaps(unsigned long va, size_t len);
u32 kview_copy_count(void);

#endif
