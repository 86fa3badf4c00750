/* SPDX-License-Identifier: GPL-2.0 */
/* What a file imports from other files, and what it can do to stacks with that. */
#ifndef KVIEW_IMPORTS_H
#define KVIEW_IMPORTS_H

#include "lookup/elf_file.h"

/*
 * Functions that are harmless with certain arguments only: those that map code, and system
 * calls by number.
 */
enum checked_call {
	CHECKED_NONE,
	CHECKED_PROTECTION,	/* harmless if the third argument is without PROT_EXEC */
	CHECKED_SHM_FLAGS,	/* harmless if the third argument is without SHM_EXEC */
	CHECKED_SYSTEM_CALL,	/* harmless if the first argument changes neither stacks nor code */
	/* Not PR_SET_SYSCALL_USER_DISPATCH as first argument; PR_SET_SECCOMP is reported. */
	CHECKED_PRCTL,
};

/* Where a relocation puts the address of such a function. */
struct checked_slot {
	uint64_t address;
	enum checked_call call;
	const char *name;
};

struct imports {
	bool switches_stacks;	/* can switch to another stack, or load code that can */
	bool unwinds;		/* leaves frames without returning, or uses return addresses */
	bool forks;		/* can make processes that share its memory or have a copy of it */
	bool handles_signals;	/* sets signal handlers, which get the interrupted context */
	bool gets_code;		/* by exec, or because the C library loads libraries for itself */
	char name[64];		/* of the function that switches stacks */
	char unwinding_name[64], forking_name[64];
	struct checked_slot *slots;	/* ascending */
	size_t nr_slots;
	/* A checked function whose address is used: calls through it can't be seen in the code. */
	const char *taken;
};

/* Returns 0, or -1 if its tables can't be read.  Free in both cases. */
int imports__read(struct imports *imports, const struct elf_file *file);
void imports__free(struct imports *imports);

const struct checked_slot *imports__slot(const struct imports *imports, uint64_t address);

/* Whether the argument (the third; the first for a system call and prctl) is harmless. */
bool checked_call__allows(enum checked_call call, uint64_t argument);
/* Whether, with a harmless argument, it filters later system calls. */
bool checked_call__filters(enum checked_call call, uint64_t argument);

#endif
