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

bool kview_is_syscall(const struct tracepoint *tp);
void kview_syscalls_get(struct kview_view *v);
void kview_syscalls_put(struct kview_view *v);
void kview_syscalls_enter(struct kview_space *s);
void kview_syscalls_entered(const struct kview_attachment *att);
void kview_syscalls_left(const struct list_head *list);
void kview_syscalls_forget(void);
void kview_syscalls_key_changed(const struct static_key *key);
void kview_syscalls_shutdown(void);

#endif
