// SPDX-License-Identifier: GPL-2.0
/*
 * Static tracepoints in private text.
 *
 * Nothing is registered with the tracepoint and its key stays off in the base:
 * a later tracer finds it as if the view were not there.  What the compiler made
 * of trace_foo(), and what the private text makes of it:
 *
 *		base				private
 *	    nop				    jmp 1f
 *	2:  ...				2:  ...
 *
 *	1:  mov  foo.funcs(%rip), %rax	1:  mov  ours(%rip), %rax
 *	    test %rax, %rax
 *	    je   2b
 *	    mov  8(%rax), %rdi		    (data: of ours)
 *	    call foo's static call	    call thunk
 *	    jmp  2b
 *
 * The load can lie pages away from the call, so while an address space changes
 * its text a CPU may run the private load and then the base's call.  With one
 * probe registered that call goes straight to the probe, which believes its data.
 * "Ours" therefore has the real one's data, as it is when an address space changes its
 * text, and tracepoints_mutex keeps that from changing until every CPU has the new text.
 *
 * A process that enters a view has not loaded our data before.  But a process that leaves a view,
 * or stays in it while its text is edited, may have loaded our former data.  If another tracer has
 * changed its probe since then, a grace period of RCU (or of the SRCU in its place, see compat.h)
 * must pass first.  kview_flip_prepare() waits for it before the locks are taken; then
 * kview_flip_begin() waits only if the probe has changed again in between.
 *
 * kview_flip_begin() takes text_mutex in the end.  Who sets or removes a kprobe that can be a jump
 * holds that for a grace period of RCU tasks: kview_text_prepare() waits for it first.
 */
#include <linux/jump_label.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "compat.h"
#include "lock.h"
#include "memory.h"
#include "pgtable.h"
#include "symbols.h"
#include "tracepoint.h"

#define KVIEW_TPS		256
#define KVIEW_BLOCK_INSNS	200	/* how far to look for load and call */

/* Under kview_lock. */
static struct kview_tp kview_tps[KVIEW_TPS];
static unsigned int kview_tps_used;
static bool kview_stale;		/* older data than ours may be in some register, */
static struct kview_probes_state kview_stale_until;	/* for a grace period from here on */
static bool kview_flipping;

struct kview_tp_search {
	const char *name;
	struct tracepoint *tp;
};

static void kview_tp_compare(struct tracepoint *tp, void *data)
{
	struct kview_tp_search *s = data;

	if (!strcmp(tp->name, s->name))
		s->tp = tp;
}

int kview_tracepoint_find(const char *name, struct tracepoint **tp)
{
	struct kview_tp_search s = { .name = name };

	for_each_kernel_tracepoint(kview_tp_compare, &s);
	*tp = s.tp;
	return s.tp ? 0 : -ENOENT;
}

/*
 * Takes over others' data, where one probe believes it; with none, or several, the call goes to
 * the iterator, which reads them itself.  Returns whether ours changed.  Under tracepoints_mutex.
 */
static bool kview_tp_follow(struct kview_tp *t)
{
	struct tracepoint_func *funcs;

	funcs = rcu_dereference_protected(t->tp->funcs,
					  lockdep_is_held(kview_sym.tracepoints_mutex));
	if (!funcs || funcs[1].func || funcs[0].data == t->own[0].data)
		return false;
	WRITE_ONCE(t->own[0].data, funcs[0].data);
	return true;
}

/* Under kview_lock and tracepoints_mutex. */
static void kview_tps_follow(void)
{
	bool changed = false;
	struct kview_tp *t;

	for (t = kview_tps; t < kview_tps + KVIEW_TPS; t++)
		changed |= t->users && kview_tp_follow(t);
	if (changed) {
		kview_stale = true;
		kview_stale_until = kview_probes_state();
	}
}

/* Under kview_lock. */
struct kview_tp *kview_tracepoint_get(struct tracepoint *tp)
{
	struct kview_tp *t, *unused = NULL;

	for (t = kview_tps; t < kview_tps + KVIEW_TPS; t++) {
		if (t->users && t->tp == tp) {
			t->users++;
			return t;
		}
		if (!t->users && !unused)
			unused = t;
	}
	if (!unused)
		return ERR_PTR(-ENOSPC);
	unused->tp = tp;
	unused->funcs = unused->own;	/* not NULL, and has data to load */
	unused->users = 1;
	kview_tps_used++;
	return unused;
}

/* Under kview_lock, after the flush that took it from the last private text. */
void kview_tracepoint_put(struct kview_tp *t)
{
	if (!--t->users)
		kview_tps_used--;
}

/*
 * Without kview_lock, before something under it takes text_mutex: waits here for whoever holds that
 * for long.  This does not help against a caller that takes text_mutex just afterwards.
 */
void kview_text_prepare(void)
{
	mutex_lock(kview_sym.text_mutex);
	mutex_unlock(kview_sym.text_mutex);
}

/* The same, before somebody is to leave a view or to see its text edited. */
void kview_flip_prepare(void)
{
	struct kview_probes_state until;
	bool stale;

	mutex_lock(&kview_lock);
	if (kview_tps_used) {
		mutex_lock(kview_sym.tracepoints_mutex);
		kview_tps_follow();
		mutex_unlock(kview_sym.tracepoints_mutex);
	}
	stale = kview_stale;
	until = kview_stale_until;
	mutex_unlock(&kview_lock);
	if (stale)
		kview_probes_wait(until);
	kview_text_prepare();
}

/**
 * kview_flip_begin() - before address spaces change their text
 * @entering: they only enter views
 *
 * Under kview_lock.
 */
void kview_flip_begin(bool entering)
{
	if (kview_tps_used) {
		mutex_lock(kview_sym.tracepoints_mutex);
		kview_flipping = true;
		kview_tps_follow();
	}
	if (!entering && kview_stale) {
		kview_probes_wait(kview_stale_until);
		kview_stale = false;
	}
	/* who compares text with what it should be, under this, must not see both */
	mutex_lock(kview_sym.text_mutex);
}

/* After the flush. */
void kview_flip_end(void)
{
	mutex_unlock(kview_sym.text_mutex);
	if (kview_flipping)
		mutex_unlock(kview_sym.tracepoints_mutex);
	kview_flipping = false;
}

static bool kview_is_call_of(struct tracepoint *tp, unsigned long va)
{
	struct static_call_site *s = (void *)kview_sym.static_call_start;
	struct static_call_site *end = (void *)kview_sym.static_call_end;

	for (; s < end; s++)
		if ((long)s->addr + (long)&s->addr == va)
			return (((long)s->key + (long)&s->key) & ~3L) == (long)tp->static_call_key;
	return false;
}

/* The load of tp->funcs and the call, in the block that the jump label leads to. */
struct kview_block {
	unsigned long load;
	u8 disp;			/* where its 4-byte displacement is */
	u8 byte[8];			/* the base's, up to there */
	unsigned long next;		/* the instruction behind it */
	unsigned long call;
	unsigned long todo[16];		/* ends of branches still to be followed */
	unsigned int ntodo;
};

static void kview_block_branch(struct kview_block *b, unsigned long va)
{
	if (b->ntodo < ARRAY_SIZE(b->todo))
		b->todo[b->ntodo++] = va;
}

/* Looks at one instruction; returns where straight code goes on, or 0. */
static unsigned long kview_block_step(struct kview_block *b, struct tracepoint *tp,
				      unsigned long va, const struct insn *insn)
{
	u8 op = insn->opcode.bytes[0], op2 = insn->opcode.bytes[1];
	unsigned long next = va + insn->length;

	/* mov disp32(%rip), reg */
	if (op == 0x8b && (insn->modrm.value & 0xc7) == 5 &&
	    next + insn->displacement.value == (unsigned long)&tp->funcs) {
		b->load = va;
		b->next = next;
		b->disp = insn_offset_displacement((struct insn *)insn);
		memcpy(b->byte, kview_base_text(va), min_t(size_t, b->disp, sizeof(b->byte)));
	}
	if (op == CALL_INSN_OPCODE && kview_is_call_of(tp, va)) {
		b->call = va;
		return 0;
	}
	if (op == JMP8_INSN_OPCODE || op == JMP32_INSN_OPCODE)
		return next + insn->immediate.value;
	if ((op & 0xf0) == 0x70 || (op == 0x0f && (op2 & 0xf0) == 0x80))
		kview_block_branch(b, next + insn->immediate.value);
	if (op == RET_INSN_OPCODE || op == INT3_INSN_OPCODE)
		return 0;
	return next;
}

static int kview_block_search(struct kview_block *b, struct tracepoint *tp, unsigned long va)
{
	unsigned int budget = KVIEW_BLOCK_INSNS;
	struct insn insn;

	memset(b, 0, sizeof(*b));
	kview_block_branch(b, va);
	while (b->ntodo && budget) {
		va = b->todo[--b->ntodo];
		while (va >= kview_sym.text_start && va < kview_sym.text_end && budget) {
			budget--;
			if (kview_sym.insn_decode(&insn, kview_base_text(va), MAX_INSN_SIZE,
						  INSN_MODE_KERN))
				break;
			va = kview_block_step(b, tp, va, &insn);
			if (b->load && b->call)
				return 0;
		}
	}
	return -EADDRNOTAVAIL;
}

/* What a tracepoint's inlined copies have been patched at already. */
struct kview_seen {
	unsigned long place[128];
	unsigned int n;
};

/* 1: not seen before */
static int kview_see(struct kview_seen *seen, unsigned long place)
{
	unsigned int i;

	for (i = 0; i < seen->n; i++)
		if (seen->place[i] == place)
			return 0;
	if (seen->n == ARRAY_SIZE(seen->place))
		return -ENOSPC;
	seen->place[seen->n++] = place;
	return 1;
}

/* The compiler may have merged the blocks of several places, or just their ends. */
static int kview_patch_block(struct kview_tp *t, const struct kview_block *b,
			     struct kview_seen *seen, kview_patch_t patch, void *data)
{
	long rel = (long)&t->funcs - (long)b->next;
	u32 keep = b->disp, skip = 0;
	u8 byte[sizeof(b->byte)];
	int ret;

	if (rel != (s32)rel)
		return -ERANGE;
	if (keep + sizeof(s32) > sizeof(byte) || b->load + keep + sizeof(s32) != b->next)
		return -EADDRNOTAVAIL;
	memcpy(byte, b->byte, keep);
	memcpy(byte + keep, &rel, sizeof(s32));
	/* of an instruction on two pages only what differs must be on one */
	if ((b->load ^ (b->load + keep)) & PAGE_MASK)
		skip = PAGE_SIZE - offset_in_page(b->load);
	ret = kview_see(seen, b->load);
	if (ret > 0)
		ret = patch(data, b->load + skip, byte + skip, keep - skip + sizeof(s32),
			    keep - skip, false);
	if (!ret)
		ret = kview_see(seen, b->call);
	if (ret > 0)
		ret = patch(data, b->call, NULL, CALL_INSN_SIZE, 0, true);
	return ret;
}

/* Under text_mutex. */
static unsigned int kview_base_length(unsigned long va)
{
	struct insn insn;

	return kview_sym.insn_decode(&insn, kview_base_text(va), MAX_INSN_SIZE, INSN_MODE_KERN) ?
	       0 : insn.length;
}

static int kview_patch_jump(unsigned long code, unsigned int len, unsigned long target,
			    kview_patch_t patch, void *data)
{
	long rel = (long)target - (long)(code + len);
	u8 byte[JMP32_INSN_SIZE];

	if (len == JMP8_INSN_SIZE && rel == (s8)rel) {
		byte[0] = JMP8_INSN_OPCODE;
		byte[1] = rel;
	} else if (len == JMP32_INSN_SIZE) {
		byte[0] = JMP32_INSN_OPCODE;
		memcpy(byte + 1, &rel, sizeof(s32));
	} else {
		return -EADDRNOTAVAIL;
	}
	return patch(data, code, byte, len, 0, false);
}

/**
 * kview_tracepoint_patch() - what private text changes for a tracepoint
 * @t:		the tracepoint
 * @patch:	called for every stretch of text
 * @data:	for @patch
 *
 * -EADDRNOTAVAIL: the compiler made something of it that is not understood, or
 * it is in no kernel text at all.
 */
int kview_tracepoint_patch(struct kview_tp *t, kview_patch_t patch, void *data)
{
	struct jump_entry *e = (void *)kview_sym.jump_start;
	struct jump_entry *end = (void *)kview_sym.jump_end;
	struct kview_seen *seen = kview_zalloc(sizeof(*seen));
	struct kview_block *b = kview_zalloc(sizeof(*b));
	int ret = seen && b ? 0 : -ENOMEM;

	for (; !ret && e < end; e++) {
		unsigned long code = jump_entry_code(e), target = jump_entry_target(e);
		unsigned int len;

		if ((void *)jump_entry_key(e) != &t->tp->key)
			continue;
		if (code < kview_sym.text_start || code >= kview_sym.text_end)
			continue;	/* init text, gone by now */
		/* others may be changing these very instructions */
		mutex_lock(kview_sym.text_mutex);
		ret = kview_block_search(b, t->tp, target);
		len = kview_base_length(code);
		mutex_unlock(kview_sym.text_mutex);
		if (!ret)
			ret = kview_patch_block(t, b, seen, patch, data);
		if (!ret)
			ret = kview_patch_jump(code, len, target, patch, data);
	}
	if (!ret && !seen->n)
		ret = -EADDRNOTAVAIL;
	kfree(seen);
	kfree(b);
	return ret;
}
