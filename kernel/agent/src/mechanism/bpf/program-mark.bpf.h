/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of the kernel that eBPF programs of the recording call are nothing that the process does.  So such a
 * program marks its thread, in a state that the mechanism for the kernel's functions looks at.
 */
#ifndef KVIEW_PROGRAM_MARK_BPF_H
#define KVIEW_PROGRAM_MARK_BPF_H

/* Returns the mark, for program__ends(): a second look for it may fail where the first did not, and it would stay. */
static __always_inline u64 *mark__set(u64 *in_program)
{
	(*in_program)++;
	return in_program;
}

/* mark: NULL if the thread had no state. */
static __always_inline void program__ends(u64 *mark)
{
	if (mark)
		(*mark)--;
}

#endif
