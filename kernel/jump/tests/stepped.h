/* SPDX-License-Identifier: GPL-2.0 */
/* Steps through stamps of this process's own functions, and leaves them at any instruction, as signal handlers can. */
#ifndef KVIEW_JUMP_STEPPED_H
#define KVIEW_JUMP_STEPPED_H

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "own_process.h"

static sigjmp_buf before_stamp;
static volatile uint64_t leave_at;
static uint64_t stamps;
static bool came_by[JUMP_PAGE];

/* At each single step: leaves the stamp of an end before the instruction that is wanted. */
static void on_step(int signal, siginfo_t *info, void *context)
{
	uint64_t ip = ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];

	if (ip - stamps < JUMP_PAGE)
		came_by[ip - stamps] = true;
	if (ip == leave_at)
		siglongjmp(before_stamp, 1);
}

/* Whether it was left there: not if it did not come by. */
static bool call_and_leave(uint64_t address)
{
	leave_at = address;
	if (sigsetjmp(before_stamp, 1))
		return true;
	asm volatile("lea -256(%%rsp), %%rsp; pushf; orl $0x100, (%%rsp); popf; call m_leaf; pushf; andl $~0x100, (%%rsp); popf; lea 256(%%rsp), %%rsp" :
		     : : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc", "memory");
	return false;
}

#endif
