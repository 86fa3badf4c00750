/* SPDX-License-Identifier: GPL-2.0 */
/* Places of hooks, shared by all views. */
#ifndef KVIEW_MODULE_SPOT_H
#define KVIEW_MODULE_SPOT_H

#include <linux/list.h>
#include <linux/types.h>

struct pt_regs;
struct tracepoint;

struct kview_spot {
	struct hlist_node node;
	struct list_head limbo;
	unsigned long ip;
	u64 insn;			/* the base's bytes at ip, never one half-written */
	struct tracepoint *tp;		/* NULL: a function's entry */
	bool filter;			/* called by the base alone: insn is 0 */
	bool lends;			/* who comes by may borrow the tables: see borrow.c */
	u32 id;
	u32 refs;
	u32 noff;			/* sets that have it and are switched off */
};

struct kview_spot *kview_spot_get(unsigned long ip, struct tracepoint *tp, bool filter);
void kview_spot_put(struct kview_spot *spot);
struct kview_spot *kview_spot_by_id(u32 id);
struct kview_spot *kview_spot_of_filter(unsigned long ip);
void kview_spot_lend(struct pt_regs *regs);
void kview_spots_rewritten(unsigned long va, size_t len);
u32 kview_spot_count(void);
void kview_spots_exit(void);

#endif
