/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls that leave their function by a jump and go on in another one, whose return is theirs:
 *
 *	handle:  ...  jmp process        a frame that waits
 *	process: ...  jmp finish         stays, and is joined by process's, if that is probed
 *	finish:  ...  ret                all that wait at this sp end
 */
#ifndef KVIEW_GOES_ON_BPF_H
#define KVIEW_GOES_ON_BPF_H

static __always_inline int frames__find_waiting(struct thread *t, u64 sp)
{
	return calls_go_on && t->waiting ? frames__find_slowly(t, sp, FRAME_WAITING) : -1;
}

/* The thread's state where this probe, at sp, is to do something, else NULL. */
static __always_inline struct thread *thread__measured(u64 sp, u64 cookie)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread *t;

	if (!is_active() || !task__is_followed(task))
		return NULL;
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	/* How its calls at this place go on nobody will know. */
	if (!t && state__is_hidden(task))
		stray__note(sp, STRAY_UNSEEN);
	return t && edition__counts(t, cookie) ? t : NULL;
}

/* A call is about to jump to where its end will be seen. */
static __always_inline void call__goes_on(u64 sp, u64 cookie, enum site_end end)
{
	struct thread *t = thread__measured(sp, cookie);
	struct frame *f;
	int index;

	if (!calls_go_on || !t)
		return;
	strays__drop(t, sp, bpf_get_current_task_btf()->pid, false);
	index = frames__find(t, sp, XP_COOKIE_FUNCTION(cookie));
	if (index >= 0) {
		f = frame__at(t, index);
		if (!(f->flags & FRAME_GOES_ON)) {
			f->flags |= FRAME_GOES_ON;
			t->waiting++;
		}
	}
	if (end == SITE_LEAVES_TO_PROBED && frames__find_waiting(t, sp) >= 0)
		t->jumped_sp = sp;
}

struct waiting {
	struct thread *t;
	u64 sp;
	u64 ended_ns;
	u32 class;
	bool cut;
};

static long waiting__end(u32 round, void *context)
{
	struct waiting *w = context;
	struct frame *f;
	int index;

	index = frames__find_waiting(w->t, w->sp);
	if (index < 0)
		return 1;
	f = frame__at(w->t, index);
	if (!has_conditions || frame__fate(f, w->cut, w->t->ending.returned) == FATE_MEASURED) {
		if (w->cut)
			calls__add(f->function, cut);
		call__finish(w->t, index, w->class, w->ended_ns);
		if (has_splits)
			split__count(w->t, f, call__class(f, w->class));
		if (measures)
			measures__count(f, index);
	}
	thread__pays_entry(w->t, f);
	frame__release(w->t, f);
	if (w->t->depth == (u32)index + 1)
		w->t->depth = index;
	return 0;
}

/* All that wait at sp end, as the call that they went on to did at ended_ns, or now (0). */
__noinline int calls__end_waiting(struct thread *t, __u64 sp, __u32 class, __u32 cut,
				  __u64 ended_ns)
{
	struct waiting w = {
		.t = t, .sp = sp, .ended_ns = ended_ns, .class = class, .cut = cut,
	};

	if (t)
		bpf_loop(XP_DEPTH, waiting__end, &w, 0);
	return 0;
}

/* An end of a function that calls go on in. */
static __always_inline void waiting__pass(u64 sp, u64 cookie, enum site_end end, u64 returned)
{
	struct thread *t = thread__measured(sp, cookie);

	if (!t || !t->waiting)
		return;
	strays__drop(t, sp, bpf_get_current_task_btf()->pid, false);
	if (frames__find_waiting(t, sp) < 0)
		return;
	thread__catch_up(t);
	thread__sees_result(t, returned, XP_COOKIE_KIND(cookie) != SITE_RET);
	if (end == SITE_LEAVES_TO_PROBED)
		t->jumped_sp = sp;
	else if (!XP_COOKIE_AFTER(cookie))
		calls__end_waiting(t, sp, XP_COOKIE_CLASS(cookie),
				   XP_COOKIE_KIND(cookie) != SITE_RET, 0);
}

#endif
