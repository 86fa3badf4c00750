// SPDX-License-Identifier: GPL-2.0
/* From an address space to its place in a view: a hash that the hook reads (run.h). */
#include <linux/rcupdate.h>
#include <linux/spinlock.h>

#include "lookup.h"
#include "space.h"
#include "view.h"

/* What directories' unused parts point to, so that the hook need not ask. */
struct kview_site __rcu *kview_no_sites[KVIEW_LEAF];

struct kview_site __rcu **kview_no_dir[KVIEW_DIR] = { [0 ... KVIEW_DIR - 1] = kview_no_sites };

struct kview_space __rcu *kview_spaces[1 << KVIEW_SPACE_BITS];
struct kview_space kview_nobody = { .mm = (struct mm_struct *)~0UL };
DEFINE_SPINLOCK(kview_spaces_lock);

static struct kview_space __rcu **kview_bucket(struct mm_struct *mm)
{
	return &kview_spaces[kview_space_bucket(mm)];
}

#define kview_space_deref(p) rcu_dereference_protected(p, lockdep_is_held(&kview_spaces_lock))

/* Both under kview_spaces_lock. */
void kview_space_hash(struct kview_space *s)
{
	struct kview_space __rcu **bucket = kview_bucket(s->mm);

	RCU_INIT_POINTER(s->next, kview_space_deref(*bucket));
	rcu_assign_pointer(*bucket, s);
	s->hashed = true;
}

void kview_space_unhash(struct kview_space *s)
{
	struct kview_space __rcu **p = kview_bucket(s->mm);

	if (!s->hashed)
		return;
	while (kview_space_deref(*p) != s)
		p = &kview_space_deref(*p)->next;
	rcu_assign_pointer(*p, kview_space_deref(s->next));
	s->hashed = false;
}

struct kview_space *kview_space_of(struct mm_struct *mm)
{
	struct kview_space *s;
	unsigned long flags;

	spin_lock_irqsave(&kview_spaces_lock, flags);
	s = kview_space_deref(*kview_bucket(mm));
	while (s != &kview_nobody && s->mm != mm)
		s = kview_space_deref(s->next);
	spin_unlock_irqrestore(&kview_spaces_lock, flags);
	return s == &kview_nobody ? NULL : s;
}

u32 kview_views_of(struct mm_struct *mm, struct kview_view **view, u32 max)
{
	struct kview_space *s;
	unsigned long flags;
	u32 n = 0;

	spin_lock_irqsave(&kview_spaces_lock, flags);
	for (s = kview_space_deref(*kview_bucket(mm)); s != &kview_nobody && n < max;
	     s = kview_space_deref(s->next))
		if (s->mm == mm)
			view[n++] = s->view;
	spin_unlock_irqrestore(&kview_spaces_lock, flags);
	return n;
}

bool kview_spaces_any(struct mm_struct *mm,
		      bool (*is)(const struct kview_space *s, const void *data), const void *data)
{
	struct kview_space *s;
	unsigned long flags;
	bool ret = false;

	spin_lock_irqsave(&kview_spaces_lock, flags);
	for (s = kview_space_deref(*kview_bucket(mm)); s != &kview_nobody && !ret;
	     s = kview_space_deref(s->next))
		ret = s->mm == mm && is(s, data);
	spin_unlock_irqrestore(&kview_spaces_lock, flags);
	return ret;
}

/* Only to be compared: it may be gone already. */
struct kview_attachment *kview_attachment_in(struct mm_struct *mm, const struct kview_view *v)
{
	struct kview_attachment *att = NULL;
	struct kview_space *s;
	unsigned long flags;

	spin_lock_irqsave(&kview_spaces_lock, flags);
	for (s = kview_space_deref(*kview_bucket(mm)); s != &kview_nobody && !att;
	     s = kview_space_deref(s->next))
		if (s->mm == mm && (!v || s->view == v))
			att = s->att;
	spin_unlock_irqrestore(&kview_spaces_lock, flags);
	return att;
}

/* Under kview_lock: the address space stays, if it is one of the attachment's. */
void kview_attachment_mark(struct kview_attachment *att, struct mm_struct *mm)
{
	struct kview_space *s;
	unsigned long flags;

	spin_lock_irqsave(&kview_spaces_lock, flags);
	for (s = kview_space_deref(*kview_bucket(mm)); s != &kview_nobody;
	     s = kview_space_deref(s->next))
		if (s->mm == mm && s->att == att)
			s->stays = true;
	spin_unlock_irqrestore(&kview_spaces_lock, flags);
}

void kview_lookup_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kview_spaces); i++)
		RCU_INIT_POINTER(kview_spaces[i], &kview_nobody);
}
