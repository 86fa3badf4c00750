/* SPDX-License-Identifier: GPL-2.0 */
/* What a file asks of other files, and what that lets it do to stacks. */
#ifndef KVIEW_IMPORTS_H
#define KVIEW_IMPORTS_H

#include "lookup/elf_file.h"

/*
 * Functions that are harmless with some arguments: those that map code, and system calls
 * by number.
 */
enum checked_call {
	CHECKED_NONE,
	CHECKED_PROTECTION,	/* third argument: without PROT_EXEC */
	CHECKED_SHM_FLAGS,	/* third argument: without SHM_EXEC */
	CHECKED_SYSTEM_CALL,	/* first argument: one that leaves stacks and code alone */
	/* First argument: not PR_SET_SYSCALL_USER_DISPATCH, and PR_SET_SECCOMP is told. */
	CHECKED_PRCTL,
};

/* Where a relocation puts the address of such a function. */
struct checked_slot {
	uint64_t address;
	enum checked_call call;
	const char *name;
};

struct imports {
	bool switches_stacks;	/* can go on with another stack, or load code that can */
	bool unwinds;		/* leaves frames otherwise than by returns, or goes by return addresses */
	bool forks;		/* can make processes that go on with a copy of its memory, or in it */
	bool handles_signals;	/* sets handlers that are shown where they go back to */
	bool gets_code;		/* by what the C library loads libraries for itself, or by exec */
	char name[64];		/* by which function; its own or imported */
	char unwinding_name[64], forking_name[64];
	struct checked_slot *slots;	/* ascending */
	size_t nr_slots;
	/* One of the checked functions may be called by its address, which code can't show. */
	const char *taken;
};

/* Returns 0, or -1 where its tables can't be read.  Free either way. */
int imports__read(struct imports *imports, const struct elf_file *file);
void imports__free(struct imports *imports);

const struct checked_slot *imports__slot(const struct imports *imports, uint64_t address);

/* Whether the argument (the third, or the first of a system call and of prctl) is a harmless one. */
bool checked_call__allows(enum checked_call call, uint64_t argument);
/* Whether with a harmless argument it filters the system calls that come after it. */
bool checked_call__filters(enum checked_call call, uint64_t argument);

#endif
