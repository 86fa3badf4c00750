/* SPDX-License-Identifier: GPL-2.0 */
/* Running on the base's tables. */
#ifndef KVIEW_MODULE_ESCAPE_H
#define KVIEW_MODULE_ESCAPE_H

#include <linux/types.h>

/*
 * Loads the base's tables if this CPU is in a view, and says whether it was.  Preemption is off
 * from before this until after kview_escape_end(), which gets what was returned; any context but
 * NMI.
 */
bool kview_escape_begin(void);
void kview_escape_end(bool escaped);

/*
 * A kernel thread may be on tables that it borrowed and that its last work has loaded again, as
 * calls of EFI's firmware do: afterwards it is on init_mm's, and stays there, since who
 * is in a view lends them to no one.  Nothing happens to a task that has memory.  Any context but
 * NMI.
 */
void kview_escape_borrowed(void);

/*
 * Between two writes to text, by whoever makes them: lets others have the CPU, if they want it and a
 * kernel with preempt=full could give it to them here.  Some kernels write at ten thousands of places
 * without a break.  Who has escaped for all of them goes back into the view for that long.  Under
 * text_mutex, with no lock of the module's; any context.
 */
void kview_escape_rest(void);

/*
 * Must a write to base text be skipped because it would remove the module's own breakpoint?
 * Asked once for each write, before it; it notes the answer.  Under text_mutex; any context.
 */
bool kview_escape_keeps(unsigned long va, const void *src);

/*
 * At loading, after kview_mirror_init(), which asks what is above.  -EBUSY: kprobes
 * are switched off; else register_kprobe()'s errors.  The log says so, and nothing is left.
 */
int kview_escape_init(void);
/* At unloading, before kview_mirror_exit(), when no view is left. */
void kview_escape_exit(void);

/* Switches this mechanism off, to prove that the tests then fail. */
extern bool kview_unsafe_no_escape;

#endif
