/* SPDX-License-Identifier: GPL-2.0 */
/* From an address space to its place in a view. */
#ifndef KVIEW_MODULE_LOOKUP_H
#define KVIEW_MODULE_LOOKUP_H

#include <linux/hash.h>
#include <linux/spinlock_types.h>
#include <linux/types.h>

struct kview_attachment;
struct kview_site;
struct kview_space;
struct kview_view;
struct mm_struct;

#define KVIEW_SPACE_BITS	10
/* 32 bits of an address tell address spaces apart, and are cheaper to hash. */
static inline u32 kview_space_bucket(const struct mm_struct *mm)
{
	return hash_32((u32)(unsigned long)mm, KVIEW_SPACE_BITS);
}

/* Written under kview_spaces_lock, read under RCU; every bucket ends with kview_nobody. */
extern struct kview_space __rcu *kview_spaces[1 << KVIEW_SPACE_BITS];
extern struct kview_space kview_nobody;	/* ends every bucket */
extern spinlock_t kview_spaces_lock;	/* the hash, who has claimed whom, who has exited */

/* A directory's part without sites, all NULL.  Nobody writes to it, nor to the next one. */
extern struct kview_site __rcu *kview_no_sites[];
/* A directory that leads nowhere: of a process on its way into a view, or out of it. */
extern struct kview_site __rcu **kview_no_dir[];

/*
 * Both under kview_spaces_lock, with interrupts off.  From the first on hooks find the space by its
 * @mm, before older ones of the same.  After the second some may still have it: it is freed a grace
 * period of RCU later.  A space that is not in the hash may be taken out once more.
 */
void kview_space_hash(struct kview_space *s);
void kview_space_unhash(struct kview_space *s);

/*
 * The attachment by which an address space is in @v, or, with NULL, in any view; NULL: none, or @mm
 * is NULL, or its memory has just ended.  Any context but NMI.  Under kview_lock the attachment
 * stays; else it is only to be compared.  @mm is only compared, too.
 */
struct kview_attachment *kview_attachment_in(struct mm_struct *mm, const struct kview_view *v);

/*
 * Under kview_lock; @mm is only compared.  The first returns one of an address space's spaces, NULL:
 * none; the second fills in its views, at most @max, and returns how many; the third says whether
 * @is holds for one of its spaces.  @is is called under kview_spaces_lock.
 */
struct kview_space *kview_space_of(struct mm_struct *mm);
u32 kview_views_of(struct mm_struct *mm, struct kview_view **view, u32 max);
bool kview_spaces_any(struct mm_struct *mm,
		      bool (*is)(const struct kview_space *s, const void *data), const void *data);

/* Sets @stays of an address space, if it is one of the attachment's.  Under kview_lock. */
void kview_attachment_mark(struct kview_attachment *att, struct mm_struct *mm);

/* At loading, before any hook. */
void kview_lookup_init(void);

#endif
