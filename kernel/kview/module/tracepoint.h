/* SPDX-License-Identifier: GPL-2.0 */
/* Static tracepoints in private text. */
#ifndef KVIEW_MODULE_TRACEPOINT_H
#define KVIEW_MODULE_TRACEPOINT_H

#include <linux/tracepoint-defs.h>
#include <linux/types.h>

struct kview_tp {
	struct tracepoint *tp;
	struct tracepoint_func *funcs;	/* what private text loads in place of tp->funcs: */
	struct tracepoint_func own[2];
	u32 users;
};

/*
 * One instruction to override, whose first @keep bytes are the base's; with a call, the
 * bytes are the caller's to fill.
 */
typedef int (*kview_patch_t)(void *data, unsigned long va, const u8 *byte, u32 len, u32 keep,
			     bool call);

int kview_tracepoint_find(const char *name, struct tracepoint **tp);
struct kview_tp *kview_tracepoint_get(struct tracepoint *tp);
void kview_tracepoint_put(struct kview_tp *t);
int kview_tracepoint_patch(struct kview_tp *t, kview_patch_t patch, void *data);
void kview_text_prepare(void);
void kview_flip_prepare(void);
void kview_flip_begin(bool entering);
void kview_flip_end(void);

#endif
