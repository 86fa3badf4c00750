/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of an ELF file: found by name, and examined for what probes at their
 * entry and at each of their ends would do.
 *
 * Nothing here attaches anything or needs a privilege beyond reading the file and,
 * with a pid, /proc/PID.
 */
#ifndef KVIEW_FUNCTIONS_H
#define KVIEW_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* The same values as in agent.proto. */
enum fn_language { FN_LANG_UNKNOWN, FN_LANG_C, FN_LANG_CPP, FN_LANG_RUST, FN_LANG_GO };
enum fn_exit_kind { FN_EXIT_UNSPECIFIED, FN_EXIT_URETPROBE, FN_EXIT_SITES };
enum fn_insn_cost { FN_INSN_UNSPECIFIED, FN_INSN_EMULATED, FN_INSN_SINGLE_STEPPED };

/* How an instruction can end a call.  At each of them sp is the same as at the entry. */
enum fn_site_kind {
	FN_SITE_RET,		/* always */
	FN_SITE_JUMP,		/* direct tail call: always */
	FN_SITE_JUMP_COND,	/* direct tail call, if the flags fulfil condition */
	FN_SITE_JUMP_REG,	/* indirect: ends the call if the register points outside */
	FN_SITE_JUMP_MEM,	/* tail call through memory: always */
};

struct fn_site {
	uint64_t address;	/* in the file's address space */
	uint64_t file_offset;
	enum fn_site_kind kind;
	uint8_t condition;	/* FN_SITE_JUMP_COND: low nibble of the x86 opcode; arm64: as encoded */
	uint8_t reg;		/* FN_SITE_JUMP_REG: x86 number, 0 = rax … 15 = r15; arm64: 0 … 30 */
	enum fn_insn_cost cost;
	/* Of a jump: the index in goes_on where the call continues; -1: known only at run time. */
	int goes_on;
};

/* The file that was examined, even if another one has its name by now; inode 0: not known. */
struct fn_file_id {
	dev_t device;
	ino_t inode;
};

/*
 * A function in which calls go on after they left by a jump: the target of a tail call, possibly in
 * another library, and the functions to which that one goes on.
 */
struct fn_continuation {
	char *name;		/* as in fn_function */
	char *binary;		/* as in fn_list; NULL: the function's own */
	char *open_path;
	struct fn_file_id file;	/* of open_path */
	uint64_t file_offset;	/* of its first instruction */
	/* Whether sites are all its ends, so that a call's end in it can be seen. */
	bool followed;
	struct fn_site *sites;	/* addresses in its own file; goes_on as in fn_site */
	size_t nr_sites;
};

/*
 * A range of the function's code: its own, or a part that the compiler moved elsewhere (NAME.cold).
 * Addresses are in the file's address space.  A FN_SITE_JUMP_REG at site S, met at instruction
 * pointer ip, ends the call unless S.address + (register - ip) is in one of the ranges.
 */
struct fn_range {
	uint64_t start, end;
};

struct fn_function {
	char *name;		/* demangled; otherwise the same as symbol */
	char *symbol;
	char **aliases;		/* other symbols of the same address; NULL-terminated, or NULL */
	uint64_t address;	/* in the file's address space */
	uint64_t file_offset;
	uint64_t size;		/* bytes */
	enum fn_language language;
	bool was_chosen;	/* symbol is an ifunc, and address that of the code chosen for it */
	/* In how many places it was inlined into its callers, where calls are not seen. */
	size_t inlined_places;	/* only for an exact name, and if the file says so; otherwise 0 */
	bool probeable;
	char *reason;		/* one sentence if not probeable, otherwise NULL */
	/*
	 * File offset for the entry probe: after endbr64, or a few instructions further if the
	 * kernel emulates one there.  sp is still that of the entry, and each call passes it once.
	 */
	uint64_t entry_offset;
	enum fn_insn_cost entry_cost;
	/* The same where registers still hold the arguments; FN_INSN_UNSPECIFIED: there can be no probe. */
	uint64_t first_offset;
	enum fn_insn_cost first_cost;
	enum fn_exit_kind exit_kind;
	bool forced;		/* FN_EXIT_URETPROBE although nothing proves that it is harmless */
	struct fn_site *sites;	/* FN_EXIT_SITES: every way out, ascending by file offset */
	size_t nr_sites;	/* also 0 if it never returns */
	struct fn_continuation *goes_on;
	size_t nr_goes_on;
	struct fn_range *ranges;	/* if probeable; the first one is its own */
	size_t nr_ranges;
};

struct fn_list {
	struct fn_function *functions;	/* by name */
	size_t nr;
	size_t total_matches;	/* without the limit */
	char *binary;		/* its path as the process sees it */
	char *open_path;	/* by which the agent can open it, e.g. /proc/PID/root/… */
	char build_id[41];	/* hex, empty if none */
	/* The process does not map it yet: calls of its functions are seen as soon as it does. */
	bool not_loaded;
	struct fn_file_id file;	/* of open_path */
};

struct fn_query {
	pid_t pid;		/* 0: binary is a path */
	const char *binary;	/* a path or, with pid, a base name; NULL or "": the executable */
	const char *pattern;	/* exact, demangled with or without parameters, or glob */
	size_t limit;
	/* If not NULL, used instead of pattern: symbols' names in the file, ascending by strcmp. */
	const char *const *names;
	size_t nr_names;
	/* Replace return addresses even where nothing proves that it is harmless. */
	bool force_returns;
	/* Nor where it is proven: many processes run the code. */
	bool no_returns;
	/* Code that is loaded later is noticed before it runs.  Otherwise return addresses are
	   replaced only where no code is expected to be loaded. */
	bool code_is_watched;
	/* Filters of system calls allow the kernel's way back from a replaced return address. */
	bool filters_pass;
	/*
	 * Refuse a file that gives rights to those who execute it: the process may execute it next.
	 */
	bool no_raising_files;
};

/* Returns 0 and fills list, or -1 and fills error.  Free list in both cases with the call below. */
int fn_list__find(struct fn_list *list, const struct fn_query *query, struct error *error);
void fn_list__free(struct fn_list *list);
/*
 * The functions in which its calls may go on without their ends being seen: nr names, which belong
 * to the function, in an array to be freed; NULL without memory.
 */
char **fn_function__goes_on_unseen(const struct fn_function *function, size_t *nr);

/*
 * What the code that a process maps now can do to its stacks, as far as decoding proves it.  Code
 * that is loaded later (exec, dlopen, mmap) is not part of the answer.
 */
struct fn_process_safety {
	bool returns;		/* replaced return addresses are harmless */
	bool one_stack;		/* no thread ever switches to another stack; it may unwind */
	bool code_stays;	/* nothing is imported that loads other code */
	bool sets_filters;	/* its code can filter its system calls (seccomp) */
	char reason[512];	/* one sentence unless both hold: which file, what, where */
};
/* Memory with code of no file that the process did not make: who put it there knows what it does. */
struct fn_known_code {
	struct known_range { uint64_t start, end; } *all;	/* best as they lie */
	size_t nr, room;
};
/* Without memory it stays unknown. */
void fn_known_code__add(struct fn_known_code *known, uint64_t start, uint64_t end);
void fn_known_code__free(struct fn_known_code *known);

/*
 * fn_list__find with a pid applies this to exit_kind itself.  The answer for each file is cached.  known: only whole mappings
 * that can't be written count as it; NULL: there is none.
 */
void fn_process_safety__read(struct fn_process_safety *safety, pid_t pid, const struct fn_known_code *known);
/*
 * Why system calls of the process are filtered, or may become so, as one sentence; NULL: they are
 * not.  Where the kernel lets filters judge its way back from a replaced return address, a filter
 * that does not know that system call ends the process.  Looks at all threads of the process.
 */
const char *fn_process_safety__filtered(const struct fn_process_safety *safety, pid_t pid);

#endif
