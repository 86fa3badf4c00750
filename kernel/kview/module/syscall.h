/* SPDX-License-Identifier: GPL-2.0 */
/* The flag that sys_enter and sys_exit need. */
#ifndef KVIEW_MODULE_SYSCALL_H
#define KVIEW_MODULE_SYSCALL_H

#include <linux/types.h>

struct kview_attachment;
struct kview_space;
struct kview_view;
struct list_head;
struct static_key;
struct tracepoint;

/* Is it one of the two? */
bool kview_is_syscall(const struct tracepoint *tp);

/*
 * The next three under kview_lock.  All that may clear the flag take tracepoints_mutex, and
 * tasklist_lock for as long as it takes to look at every thread.
 *
 * To be called when a set with sys_enter or sys_exit is added to a view, and when such a set is
 * removed, after its hooks.
 */
void kview_syscalls_get(struct kview_view *v);
void kview_syscalls_put(struct kview_view *v);
/* An address space has entered its view: its threads get the flag, if a set there wants it. */
void kview_syscalls_enter(struct kview_space *s);
/*
 * Not under kview_lock; the caller holds the attachment.  To be called after another process has
 * put one into the view: a child that it forked just before, which is not in the view, loses the
 * flag.
 */
void kview_syscalls_entered(const struct kview_attachment *att);
/* Under it.  A list of address spaces, by @todo, has left: their threads lose the flag. */
void kview_syscalls_left(const struct list_head *list);

/* current loses the flag, unless it is in a view that wants it.  Without kview_lock. */
void kview_syscalls_forget(void);

/*
 * To be called when the key of a jump label changes.  If it is the key of sys_enter or sys_exit,
 * work is queued.  Does not sleep.
 */
void kview_syscalls_key_changed(const struct static_key *key);

/*
 * To be called when the module is unloaded and the function above is not called any more: waits
 * for that work.
 */
void kview_syscalls_shutdown(void);

#endif
