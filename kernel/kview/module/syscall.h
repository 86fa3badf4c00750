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
 * A set with one of the two comes to a view, or goes after its hooks did.
 */
void kview_syscalls_get(struct kview_view *v);
void kview_syscalls_put(struct kview_view *v);
/* An address space has entered its view: its threads get the flag, if a set there wants it. */
void kview_syscalls_enter(struct kview_space *s);
/*
 * Not under kview_lock; the caller holds the attachment.  Somebody was let into its view by others:
 * whom he forked just before loses the flag.
 */
void kview_syscalls_entered(const struct kview_attachment *att);
/* Under it.  A list of address spaces, by @todo, has left: their threads lose the flag. */
void kview_syscalls_left(const struct list_head *list);

/* current loses the flag, unless it is in a view that wants it.  Without kview_lock. */
void kview_syscalls_forget(void);

/* A jump label's key changes: is it one of the two's?  Then work is queued.  Does not sleep. */
void kview_syscalls_key_changed(const struct static_key *key);

/* At unloading, when nobody comes there any more: waits for that work. */
void kview_syscalls_shutdown(void);

#endif
