// SPDX-License-Identifier: GPL-2.0
/*
 * Thunks: 16 bytes of code for each spot, which say which spot it is, so that
 * the hook searches nothing.
 *
 *	private text		thunk of spot 7		entry.S
 *	foo:  call --------->	mov $7, %r11d
 *				jmp kview_entry ------>	pt_regs, kview_handler()
 *
 * r11 is free at a function's first instruction and at a call.  Thunks must be
 * reachable by a call from kernel text, so they lie where modules and JITed
 * eBPF programs lie.  They come in chunks that are written once, before they become
 * executable, and stay until the module is unloaded.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kview.h"
#include "memory.h"
#include "symbols.h"
#include "thunk.h"

#define KVIEW_THUNK_SIZE	16
#define KVIEW_CHUNK_THUNKS	4096U
#define KVIEW_CHUNK_BYTES	(KVIEW_CHUNK_THUNKS * KVIEW_THUNK_SIZE)
#define KVIEW_CHUNKS		(KVIEW_SITES_MAX / KVIEW_CHUNK_THUNKS)

struct kview_chunk {
	u8 *code;
	unsigned int used;
	unsigned int hint;		/* no free one below */
	DECLARE_BITMAP(busy, KVIEW_CHUNK_THUNKS);
};

static struct kview_chunk *kview_chunks[KVIEW_CHUNKS];
static const char *kview_thunk_entry;

void kview_thunks_init(const char *entry)
{
	kview_thunk_entry = entry;
}

static int kview_chunk_write(u8 *code, u32 first)
{
	u32 i;

	for (i = 0; i < KVIEW_CHUNK_THUNKS; i++, code += KVIEW_THUNK_SIZE) {
		long rel = (long)kview_thunk_entry - (long)(code + 11);

		if (rel != (s32)rel)
			return -ERANGE;
		code[0] = 0x41;			/* mov $imm32, %r11d */
		code[1] = 0xbb;
		*(u32 *)(code + 2) = first + i;
		code[6] = 0xe9;			/* jmp rel32 */
		*(s32 *)(code + 7) = rel;
		memset(code + 11, 0xcc, KVIEW_THUNK_SIZE - 11);
	}
	return 0;
}

static struct kview_chunk *kview_chunk_new(u32 nr)
{
	struct kview_chunk *c = kview_zalloc(sizeof(*c));
	int pages = KVIEW_CHUNK_BYTES >> PAGE_SHIFT, ret;

	if (!c)
		return ERR_PTR(-ENOMEM);
	c->code = kview_should_fail() ? NULL : kview_sym.bpf_jit_alloc_exec(KVIEW_CHUNK_BYTES);
	if (!c->code) {
		kfree(c);
		return ERR_PTR(-ENOMEM);
	}
	ret = kview_chunk_write(c->code, nr * KVIEW_CHUNK_THUNKS);
	if (!ret)
		ret = kview_sym.set_memory_ro((unsigned long)c->code, pages);
	if (!ret)
		ret = kview_sym.set_memory_x((unsigned long)c->code, pages);
	if (ret) {
		kview_sym.set_memory_rw((unsigned long)c->code, pages);
		kview_sym.bpf_jit_free_exec(c->code);
		kfree(c);
		return ERR_PTR(ret);
	}
	return c;
}

/* Under kview_lock. */
int kview_thunk_get(u32 *id)
{
	u32 nr, bit;

	for (nr = 0; nr < KVIEW_CHUNKS; nr++) {
		struct kview_chunk *c = kview_chunks[nr];

		if (!c) {
			c = kview_chunk_new(nr);
			if (IS_ERR(c))
				return PTR_ERR(c);
			kview_chunks[nr] = c;
		}
		if (c->used == KVIEW_CHUNK_THUNKS)
			continue;
		bit = find_next_zero_bit(c->busy, KVIEW_CHUNK_THUNKS, c->hint);
		__set_bit(bit, c->busy);
		c->used++;
		c->hint = bit + 1;
		*id = nr * KVIEW_CHUNK_THUNKS + bit;
		return 0;
	}
	return -ENOSPC;
}

/*
 * Waits until all who are in a thunk now, or in the code behind it, have left it.  Only the
 * second of the two waits for the idle loop, too: that turns back at filters, and runs no view's
 * text, but from when an address space that it has borrowed enters a view until the flush.
 */
void kview_thunks_wait(void)
{
	synchronize_rcu_tasks();
	if (kview_sym.synchronize_rcu_tasks_rude)
		kview_sym.synchronize_rcu_tasks_rude();
}

/* Under kview_lock, when no task can be in the thunk any more. */
void kview_thunk_put(u32 id)
{
	struct kview_chunk *c = kview_chunks[id / KVIEW_CHUNK_THUNKS];

	__clear_bit(id % KVIEW_CHUNK_THUNKS, c->busy);
	c->used--;
	c->hint = min(c->hint, id % KVIEW_CHUNK_THUNKS);
}

unsigned long kview_thunk_addr(u32 id)
{
	return (unsigned long)kview_chunks[id / KVIEW_CHUNK_THUNKS]->code +
	       id % KVIEW_CHUNK_THUNKS * KVIEW_THUNK_SIZE;
}

void kview_thunks_exit(void)
{
	int pages = KVIEW_CHUNK_BYTES >> PAGE_SHIFT;
	u32 nr;

	for (nr = 0; nr < KVIEW_CHUNKS; nr++) {
		struct kview_chunk *c = kview_chunks[nr];

		if (!c)
			continue;
		/* the next owner of these pages expects plain memory */
		kview_sym.set_memory_nx((unsigned long)c->code, pages);
		kview_sym.set_memory_rw((unsigned long)c->code, pages);
		kview_sym.bpf_jit_free_exec(c->code);
		kfree(c);
		kview_chunks[nr] = NULL;
	}
}
