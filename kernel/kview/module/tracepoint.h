/* SPDX-License-Identifier: GPL-2.0 */
/* Static tracepoints in private text. */
#ifndef KVIEW_MODULE_TRACEPOINT_H
#define KVIEW_MODULE_TRACEPOINT_H

#include <linux/tracepoint-defs.h>
#include <linux/types.h>

/* A tracepoint that some set has, one for all views.  Under kview_lock. */
struct kview_tp {
	struct tracepoint *tp;
	struct tracepoint_func *funcs;	/* what private text loads in place of tp->funcs: */
	struct tracepoint_func own[2];
	u32 users;			/* 0: not in use */
};

/*
 * One instruction to override, whose first @keep bytes are the base's; with @call, its bytes
 * are for the one who is called to fill, and @byte is NULL.  An error ends the search.
 */
typedef int (*kview_patch_t)(void *data, unsigned long va, const u8 *byte, u32 len, u32 keep,
			     bool call);

/* By its name; of the kernel image alone.  -ENOENT: @tp is NULL.  No lock. */
int kview_tracepoint_find(const char *name, struct tracepoint **tp);

/* One more user of it; -ENOSPC: too many tracepoints are in use.  Under kview_lock. */
struct kview_tp *kview_tracepoint_get(struct tracepoint *tp);
/* One less; after the flush that took it from private text.  Under kview_lock. */
void kview_tracepoint_put(struct kview_tp *t);

/*
 * Calls @patch for each instruction that private text changes for it, in all places where it is
 * inlined; changes nothing itself.  Under kview_lock; takes text_mutex, but not while it calls.
 * -EADDRNOTAVAIL: the compiler made something of it that is not understood, or it is in no text of
 * the image; -ENOSPC: in too many places; -ERANGE; -ENOMEM; or @patch's error.  @patch may have
 * been called before any of these.
 */
int kview_tracepoint_patch(struct kview_tp *t, kview_patch_t patch, void *data);

/*
 * Without kview_lock, before it is taken for something that takes text_mutex, or for somebody to
 * leave a view or have its text edited: what must pass first is waited for here, as far as it can
 * be foreseen.  The second does what the first does.
 */
void kview_text_prepare(void);
void kview_flip_prepare(void);

/*
 * Around a change of what address spaces show, its flushes included.  Under kview_lock: takes
 * tracepoints_mutex, if a view has a tracepoint, and text_mutex, until the second.  @entering: all
 * of them only enter views.  Otherwise the first can wait for a grace period, if
 * kview_flip_prepare() was not called or in vain.
 */
void kview_flip_begin(bool entering);
void kview_flip_end(void);

#endif
