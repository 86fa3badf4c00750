// SPDX-License-Identifier: GPL-2.0
#include "arch/x86_64/signal_frame.h"

#include <cpuid.h>
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "place/stacks.h"

/* Only the kernel's own headers define them. */
#define ERESTARTSYS 512
#define ERESTARTNOINTR 513
#define ERESTARTNOHAND 514
#define ERESTART_RESTARTBLOCK 516

#define FLAGS 7				/* vector registers are there, and a stack segment that is meant */
#define STACK_FLAG 4			/* there is none: so the kernel leaves the stack of signals as it is */

#define LEGACY 512			/* bytes of the vector registers' oldest part */
#define SOFTWARE 464			/* what the kernel says about them there */
#define HEADER 64			/* the parts that are there, and more */
#define MAGIC1 0x46505853u
#define MAGIC2 0x46505845u

_Static_assert(sizeof(struct signal_frame) == 8 + 40 + 256 + 8 + 128, "as the kernel's");
_Static_assert(offsetof(struct signal_frame, mask) == 8 + 40 + 256, "as the kernel's");

static void begin_call_again(struct user_regs_struct *registers)
{
	if ((long)registers->orig_rax < 0)
		return;
	switch (-(long)registers->rax) {
	case ERESTARTSYS: case ERESTARTNOINTR: case ERESTARTNOHAND:
		registers->rax = registers->orig_rax;
		registers->rip -= 2;
		break;
	case ERESTART_RESTARTBLOCK:
		registers->rax = -EINTR;
		break;
	}
}

void signal_frame__fill(struct signal_frame *frame, const struct user_regs_struct *registers, uint64_t mask)
{
	struct user_regs_struct own = *registers;

	begin_call_again(&own);
	*frame = (struct signal_frame){
		.flags = FLAGS, .stack_flags = STACK_FLAG, .mask = mask,
		.r8 = own.r8, .r9 = own.r9, .r10 = own.r10, .r11 = own.r11, .r12 = own.r12, .r13 = own.r13,
		.r14 = own.r14, .r15 = own.r15, .di = own.rdi, .si = own.rsi, .bp = own.rbp, .bx = own.rbx,
		.dx = own.rdx, .ax = own.rax, .cx = own.rcx, .sp = own.rsp, .ip = own.rip,
		.eflags = own.eflags, .cs = own.cs, .ss = own.ss,
	};
}

/* Where the last of these parts ends.  The kernel takes no more than the thread may use, and fewer are always right. */
static size_t bytes_of(uint64_t parts)
{
	size_t end = LEGACY + HEADER;

	for (unsigned int part = 2; part < 63; part++) {
		unsigned int size, offset, c, d;

		if (!(parts >> part & 1))
			continue;
		__cpuid_count(0xd, part, size, offset, c, d);
		if (offset + size > end)
			end = offset + size;
	}
	return end;
}

size_t signal_frame__take_vectors(pid_t tid, uint8_t to[SIGNAL_FRAME_MAX_VECTORS])
{
	struct iovec all = { to, SIGNAL_FRAME_MAX_VECTORS };
	struct { uint32_t magic1, bytes; uint64_t parts; uint32_t size, unused[7]; } software = { .magic1 = MAGIC1 };
	const uint32_t end = MAGIC2;
	uint64_t parts;

	_Static_assert(SOFTWARE + sizeof(software) == LEGACY, "as the kernel's");
	if (ptrace(PTRACE_GETREGSET, tid, NT_X86_XSTATE, &all) || all.iov_len < LEGACY + HEADER)
		return 0;
	memcpy(&parts, to + LEGACY, sizeof(parts));
	/* All that the system has: those that this thread has not used begin anew. */
	memcpy(&software.parts, to + SOFTWARE, sizeof(software.parts));
	software.size = bytes_of(parts);
	software.bytes = software.size + sizeof(end);
	if (software.size > all.iov_len || software.bytes > SIGNAL_FRAME_MAX_VECTORS)
		return 0;
	memcpy(to + SOFTWARE, &software, sizeof(software));
	memcpy(to + software.size, &end, sizeof(end));
	return software.bytes;
}

/* The segments that 64-bit programs have. */
#define SEGMENTS 0x002b000000000033ull

bool stacks__is_frame(const uint64_t *words, size_t left, uint64_t *sp)
{
	const size_t segments = (offsetof(struct signal_frame, cs) - offsetof(struct signal_frame, sp)) / 8;

	if (left <= segments || words[segments] != SEGMENTS)
		return false;
	*sp = words[0];
	return true;
}
