// SPDX-License-Identifier: GPL-2.0
#include "place/stacks.h"

#include <sys/ptrace.h>
#include <sys/user.h>

bool thread__position(pid_t tid, uint64_t *ip, uint64_t *sp)
{
	struct user_regs_struct registers;

	if (ptrace(PTRACE_GETREGS, tid, 0, &registers))
		return false;
	*ip = registers.rip;
	*sp = registers.rsp;
	return true;
}

bool thread__set_ip(pid_t tid, uint64_t ip)
{
	return !ptrace(PTRACE_POKEUSER, tid, offsetof(struct user_regs_struct, rip), ip);
}
