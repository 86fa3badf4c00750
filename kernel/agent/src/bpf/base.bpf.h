/* SPDX-License-Identifier: GPL-2.0 */
/* What the eBPF programs of every mechanism begin with. */
#ifndef KVIEW_BASE_BPF_H
#define KVIEW_BASE_BPF_H

#define READ_ONCE(x)	(*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile typeof(x) *)&(x) = (v))
/*
 * Keeps clang from removing this bound because an earlier check implies it: the verifier has
 * forgotten that check by now.
 */
#define BOUND(i, mask)	({ __u32 i_ = (i); asm volatile("" : "+r"(i_)); i_ & (mask); })

/*
 * The system call by which the kernel continues a wait after a signal that has no handler, for
 * example after the process was stopped.
 */
#ifdef __TARGET_ARCH_x86
#define NR_RESTART_SYSCALL	219
#else
#define NR_RESTART_SYSCALL	128
#endif

typedef __u64 u64;
typedef __s64 s64;
typedef __u32 u32;
typedef __s32 s32;
typedef __u16 u16;
typedef __u8 u8;

#endif
