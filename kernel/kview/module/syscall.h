/* SPDX-License-Identifier: GPL-2.0 */
/* The flag that sys_enter and sys_exit need. */
#ifndef KVIEW_MODULE_SYSCALL_H
#define KVIEW_MODULE_SYSCALL_H

#include <linux/types.h>

struct kview_space;
struct kview_view;
struct static_key;
struct task_struct;
struct tracepoint;

bool kview_is_syscall(const struct tracepoint *tp);
void kview_syscalls_get(struct kview_view *v);
void kview_syscalls_put(struct kview_view *v);
void kview_syscalls_enter(struct kview_space *s);
void kview_syscalls_leave(struct kview_space *s);
void kview_syscalls_forget(struct task_struct *task);
void kview_syscalls_key_changed(const struct static_key *key);
void kview_syscalls_shutdown(void);

#endif
