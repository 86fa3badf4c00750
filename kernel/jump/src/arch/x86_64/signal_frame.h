/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel puts on a stack for a signal's handler, and takes back at its end: struct rt_sigframe. */
#ifndef KVIEW_JUMP_SIGNAL_FRAME_H
#define KVIEW_JUMP_SIGNAL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

#define SIGNAL_FRAME_MAX_VECTORS 16384	/* bytes of vector registers */

struct signal_frame {
	uint64_t resume;	/* where the handler returns to */
	uint64_t flags, link;
	uint64_t stack, stack_flags, stack_size;
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15, di, si, bp, bx, dx, ax, cx, sp, ip, eflags;
	uint16_t cs, gs, fs, ss;
	uint64_t err, trapno, oldmask, cr2;
	uint64_t vectors;	/* where they are */
	uint64_t unused[8];
	uint64_t mask;
	uint8_t info[128];
};

/* With the registers that a thread stopped with, as it will go on if nobody sets them again. */
void signal_frame__fill(struct signal_frame *frame, const struct user_regs_struct *registers, uint64_t mask);

/* The vector registers of a stopped thread, in the form that frames have them; how many bytes, 0: they can't be had. */
size_t signal_frame__take_vectors(pid_t tid, uint8_t to[SIGNAL_FRAME_MAX_VECTORS]);

#endif
