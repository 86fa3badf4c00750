// SPDX-License-Identifier: GPL-2.0
/*
 * A set: sites that came in one call, the overrides they need in private text,
 * and their counters.
 */
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kview.h"
#include "edit.h"
#include "event.h"
#include "filter.h"
#include "memory.h"
#include "modtext.h"
#include "order.h"
#include "place.h"
#include "prog.h"
#include "return.h"
#include "set.h"
#include "spot.h"
#include "switch.h"
#include "syscall.h"
#include "textcopy.h"
#include "thunk.h"
#include "tracepoint.h"
#include "view.h"

/* Filling a set is done twice: first to count, then for good. */
struct kview_builder {
	struct kview_set *set;
	bool counting;
	u32 nov, nhooked;		/* what counting found: there is room for no more */
	u32 idx;			/* of the site at work */
	struct tracepoint *tp;
};

static int kview_add_override(struct kview_builder *b, unsigned long va, const u8 *byte, u32 len,
			      u32 keep)
{
	struct kview_set *set = b->set;
	struct kview_ov *ov;

	if (offset_in_page(va) + len > PAGE_SIZE)
		return -EADDRNOTAVAIL;
	if (b->counting) {
		set->nov++;
		return 0;
	}
	if (set->nov == b->nov)
		return -EBUSY;		/* the text has changed since */
	ov = &set->ov[set->nov++];
	ov->off = va & ~PUD_MASK;
	ov->refs = 1;
	ov->len = len;
	ov->keep = keep;
	memcpy(ov->byte, byte, len);
	return 0;
}

/* A call from @va to the spot's thunk, and the site that the set has there. */
static int kview_add_call(struct kview_builder *b, unsigned long va)
{
	struct kview_set *set = b->set;
	struct kview_site *site;
	struct kview_spot *spot;
	bool filter = set->flags & KVIEW_SET_FILTER;
	u8 byte[CALL_INSN_SIZE];
	long rel;

	if (b->counting) {
		set->nhooked++;
		return filter ? 0 : kview_add_override(b, va, NULL, CALL_INSN_SIZE, 0);
	}
	if (set->nhooked == b->nhooked)
		return -EBUSY;
	spot = kview_spot_get(va, b->tp, filter);
	if (IS_ERR(spot))
		return PTR_ERR(spot);
	site = &set->hooked[set->nhooked++];
	site->set = set;
	site->spot = spot;
	site->base = (const u8 *)&spot->insn;
	site->idx = b->idx;
	site->hits = set->hits[b->idx / KVIEW_HITS_CHUNK] + b->idx % KVIEW_HITS_CHUNK;
	site->lost = set->lost + b->idx * KVIEW_LOSS_KINDS;
	if (set->events)
		kview_event_use(site);
	if (filter)
		return 0;

	rel = (long)kview_thunk_addr(spot->id) - (long)(va + CALL_INSN_SIZE);
	if (rel != (s32)rel)
		return -ERANGE;
	byte[0] = CALL_INSN_OPCODE;
	memcpy(byte + 1, &rel, sizeof(s32));
	return kview_add_override(b, va, byte, CALL_INSN_SIZE, 0);
}

static int kview_add_patch(void *data, unsigned long va, const u8 *byte, u32 len, u32 keep,
			   bool call)
{
	return call ? kview_add_call(data, va) : kview_add_override(data, va, byte, len, keep);
}

static int kview_add_tracepoint(struct kview_builder *b, struct tracepoint *tp)
{
	struct kview_set *set = b->set;
	struct kview_tp *t;

	if (!b->counting)
		return kview_tracepoint_patch(set->tps[set->ntps++], kview_add_patch, b);
	t = kview_tracepoint_get(tp);
	if (IS_ERR(t))
		return PTR_ERR(t);
	set->syscalls |= kview_is_syscall(tp);
	set->tps[set->ntps++] = t;
	return kview_tracepoint_patch(t, kview_add_patch, b);
}

static int kview_add_places(struct kview_builder *b, const struct kview_place *place, u32 n,
			    u32 *bad)
{
	int ret;
	u32 i;

	for (i = 0; i < n; i++) {
		b->idx = i;
		b->tp = place[i].tp;
		ret = place[i].tp ? kview_add_tracepoint(b, place[i].tp) :
				    kview_add_call(b, place[i].ip);
		if (ret) {
			*bad = place[i].idx;
			return ret;
		}
		cond_resched();
	}
	return 0;
}

static int kview_ov_cmp(const void *a, const void *b)
{
	const struct kview_ov *x = a, *y = b;

	cond_resched();
	return x->off < y->off ? -1 : x->off > y->off;
}

/*
 * Events on one tracepoint want the same bytes.  Two tracepoints can share an
 * out-of-line block's place only by a mistake here.
 */
static int kview_ov_unite(struct kview_set *set)
{
	u32 i, n = 0;

	for (i = 0; i < set->nov; i++) {
		struct kview_ov *last = n ? &set->ov[n - 1] : NULL;

		if (last && last->off == set->ov[i].off && last->len == set->ov[i].len &&
		    !memcmp(last->byte, set->ov[i].byte, last->len))
			continue;
		if (last && last->off + last->len > set->ov[i].off)
			return -EBUSY;
		set->ov[n++] = set->ov[i];
	}
	set->nov = n;
	return 0;
}

static int kview_set_fill(struct kview_set *set, const struct kview_place *place, u32 n, u32 *bad)
{
	struct kview_builder b = { .set = set, .counting = true };
	u32 i, nhooked, chunks = DIV_ROUND_UP(n, KVIEW_HITS_CHUNK);
	int ret;

	set->tps = kview_calloc(n, sizeof(*set->tps));
	set->hits = kview_calloc(chunks, sizeof(*set->hits));
	set->lost = kview_calloc(n, KVIEW_LOSS_KINDS * sizeof(*set->lost));
	if (!set->tps || !set->hits || !set->lost)
		return -ENOMEM;
	for (i = 0; i < chunks; i++) {
		set->hits[i] = kview_percpu_alloc(min(n - i * KVIEW_HITS_CHUNK, KVIEW_HITS_CHUNK) *
						  sizeof(u64));
		if (!set->hits[i])
			return -ENOMEM;
	}
	if (set->kind == KVIEW_KIND_RETURN) {
		ret = kview_returns_create(set);
		if (ret)
			return ret;
	}
	if (set->kind == KVIEW_KIND_EVENT) {
		ret = kview_events_create(set, place);
		if (ret)
			return ret;
	}
	ret = kview_add_places(&b, place, n, bad);
	if (ret) {
		set->nhooked = 0;
		return ret;
	}
	nhooked = set->nhooked;
	set->nhooked = 0;
	set->hooked = kview_calloc(nhooked, sizeof(*set->hooked));
	set->ov = kview_calloc(max(set->nov, 1U), sizeof(*set->ov));
	if (!set->hooked || !set->ov)
		return -ENOMEM;
	b.counting = false;
	b.nov = set->nov;
	b.nhooked = nhooked;
	set->nov = 0;
	set->ntps = 0;
	ret = kview_add_places(&b, place, n, bad);
	if (ret)
		return ret;
	kview_sort(set->ov, set->nov, sizeof(*set->ov), kview_ov_cmp);
	return kview_ov_unite(set);
}

/* Under kview_lock, when neither the hook nor private text leads here any more. */
void kview_set_free(struct kview_set *set)
{
	u32 i;

	kview_returns_stop(set);
	kview_events_free(set);
	kview_view_off(set, false);
	for (i = 0; i < set->nhooked; i++)
		kview_spot_put(set->hooked[i].spot);
	for (i = 0; set->tps && i < set->nsites; i++)
		if (set->tps[i])
			kview_tracepoint_put(set->tps[i]);
	for (i = 0; set->hits && i < DIV_ROUND_UP(set->nsites, KVIEW_HITS_CHUNK); i++)
		free_percpu(set->hits[i]);
	kview_progs_free(rcu_dereference_protected(set->progs, true));
	kvfree(set->hits);
	kvfree(set->lost);
	kvfree(set->hooked);
	kvfree(set->ov);
	kvfree(set->tps);
	kview_owners_put(set->owner, set->nowners);
	kview_identity_free(&set->who);
	kfree(set);
}

static void kview_set_ended(struct kview_retired *retired)
{
	kview_set_free(container_of(retired, struct kview_set, retired));
}

/*
 * Finds the places of sites in a view, and makes what they need.  @returns: how many calls to
 * watch at a time, of the kind RETURN.  @bad: out, on error, the place it was about, if any.
 * Under kview_lock, to be followed by kview_set_show() or kview_set_free() under the same.
 */
struct kview_set *kview_set_prepare(struct kview_view *v, u32 kind, u32 flags, u32 returns,
				    const struct kview_place *place, u32 n, u32 *bad)
{
	struct kview_set *set = kview_zalloc(sizeof(*set));
	int ret;

	if (!set)
		return ERR_PTR(-ENOMEM);
	set->view = v;
	set->kind = kind;
	set->flags = flags;
	set->nreturns = returns;
	set->nsites = n;
	set->turn = KVIEW_OFF_EVER;
	ret = kview_set_fill(set, place, n, bad);
	if (!ret)
		return set;
	kview_set_free(set);
	return ERR_PTR(ret);
}

/*
 * On return the view's processes run with the sites in place, which lead nowhere yet, see
 * kview_set_start(); those of a filtered set come by kview_filter_start().  On error the set
 * is gone.  Under kview_lock.
 */
int kview_set_show(struct kview_set *set)
{
	struct kview_view *v = set->view;
	bool off = set->flags & KVIEW_SET_OFF;
	int ret;

	ret = kview_view_room(v, set);
	if (ret) {
		kview_set_free(set);
		return ret;
	}
	/* first what the thunks lead to, then what leads to the thunks */
	if (off)
		kview_view_off(set, true);
	else
		kview_set_gate(set);
	ret = set->flags & KVIEW_SET_FILTER ? 0 : kview_view_edit(v, set, true);
	if (ret) {
		/* no text showed the sites, but another set's hook may have met the sites */
		kview_view_unlink(v, set);
		kview_retire(&set->retired, kview_set_ended);
		return ret;
	}
	list_add_tail(&set->node, &v->sets);
	if (set->syscalls)
		kview_syscalls_get(v);
	return 0;
}

/* Sites of the module's own, which call @callback in place of eBPF programs.  Under kview_lock. */
struct kview_set *kview_set_create(struct kview_view *v, u32 kind, const struct kview_place *place,
				   u32 n, kview_callback_t callback)
{
	struct kview_set *set;
	u32 bad;
	int ret;

	set = kview_set_prepare(v, kind, 0, 0, place, n, &bad);
	if (IS_ERR(set))
		return set;
	set->callback = callback;
	ret = kview_set_show(set);
	if (ret)
		return ERR_PTR(ret);
	kview_set_start(set);
	return set;
}

/*
 * Nobody new comes into the set's hooks when this returns; see kview_set_bury().  Under
 * kview_lock, after kview_filter_stop() without.  Never fails: see leftovers.
 */
void kview_set_remove(struct kview_set *set)
{
	struct kview_view *v = set->view;

	list_del(&set->node);
	/* a closed view has no processes, and its text goes as a whole */
	set->shown = set->nov && (v->closed || kview_view_edit(v, set, false));
	if (set->syscalls)
		kview_syscalls_put(v);
	kview_view_unlink(v, set);
	kview_returns_stop(set);
}

/* Under kview_lock, a grace period later. */
void kview_set_bury(struct kview_set *set)
{
	struct kview_progs *progs;

	if (!set->shown) {
		kview_set_free(set);
		return;
	}
	/*
	 * Text that still calls the thunks: they stay, and lead to nothing.
	 * Programs and what they hold must not wait for the view.
	 */
	kview_view_off(set, false);
	progs = rcu_dereference_protected(set->progs, true);
	RCU_INIT_POINTER(set->progs, NULL);
	kview_progs_free(progs);
	set->retired.free = kview_set_ended;
	list_add(&set->retired.node, &set->view->leftovers);
}

static void kview_set_retired(struct kview_retired *retired)
{
	struct kview_set *set = container_of(retired, struct kview_set, retired);
	struct kview_view *v = set->view;

	kview_set_bury(set);
	kview_view_put(v);
}

/* Both, for who need not see the end of a set of the module's own.  Under kview_lock. */
void kview_set_destroy(struct kview_set *set)
{
	kview_view_get(set->view);
	kview_set_remove(set);
	kview_retire(&set->retired, kview_set_retired);
}
