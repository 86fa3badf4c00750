/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls that end on another thread than the one that they began on, as those of a coroutine do
 * that several threads resume.
 *
 * The frame of such a call stays with the thread that it began on.  A later call of the same
 * function, at the same place of the same stack, that began elsewhere and ends on this thread
 * would be taken for it.  But a place of a stack belongs to one call at a time: where another
 * thread has returned from there, or entered a call there, every older frame of that place is dead.
 *
 * So a return that meets no frame of its thread is noted by its place, and so are entries at
 * places that were noted.  Where nothing of that kind ever happens, a look costs one load.
 *
 * Where a thread's state can't always be had (busy.bpf.h), its own returns are noted likewise.
 */
#ifndef KVIEW_STRAYS_BPF_H
#define KVIEW_STRAYS_BPF_H

struct strayed {
	struct thread *t;
	u64 sp;
	u64 before_ns;
	u32 depth;
};

static long strayed__lose(u32 round, void *context)
{
	struct strayed *s = context;
	struct frame *f;

	if (round >= s->depth)
		return 1;
	f = frame__at(s->t, round);
	if (f->function != FRAME_HOLE && f->sp == s->sp && f->begin_ns < s->before_ns)
		frame__lose(s->t, f);
	return 0;
}

/* Global, like others: the verifier looks at it once.  The thread is tid, and enters at sp or ends. */
__noinline int strays__drop_slowly(struct thread *t, __u64 sp, __u32 tid, __u32 enters)
{
	struct strayed s = { .t = t, .sp = sp };
	struct stray_place place = { .sp = sp };
	struct stray *stray;

	if (!t)
		return 0;
	place.tgid = t->tgid;
	stray = bpf_map_lookup_elem(&strays, &place);
	if (!stray)
		s.before_ns = READ_ONCE(stray_lost_ns);
	else if (stray->tid != tid)
		s.before_ns = stray->at_ns;
	s.depth = t->depth;
	if (s.before_ns)
		bpf_loop(XP_DEPTH, strayed__lose, &s, 0);
	if (stray && enters) {
		stray->at_ns = bpf_ktime_get_ns();
		stray->tid = tid;
	}
	return 0;
}

/* Loses the frames of this place that are dead by what other threads did there. */
static __always_inline void strays__drop(struct thread *t, u64 sp, u32 tid, bool enters)
{
	u32 bit = stray__bit(sp);

	if (!calls_are_pairs && (!one_stack || states__can_be_busy()) &&
	    stray_bits[BOUND(bit / 64, STRAY_WORDS - 1)] >> bit % 64 & 1)
		strays__drop_slowly(t, sp, tid, enters);
}

/* A return without a frame. */
static __always_inline void exit__unknown(struct thread *t, u32 function, u64 sp, bool on_alt,
					  u32 tid)
{
	if (t->overflow_sp && sp <= t->overflow_sp) {
		if (sp == t->overflow_sp)
			t->overflow_sp = 0;
		return;
	}
	if (t->overflowed) {
		t->overflowed--;
		return;
	}
	frames__drop(t, sp__of_thread(sp), on_alt, 0);
	stray__note(sp, tid);
	/* On one stack a call that began before the recording is outside all that were seen. */
	if (one_stack && sp > t->highest_sp)
		__sync_fetch_and_add(&counters.early_returns, 1);
	else
		calls__add(function, returns);
}

#endif
