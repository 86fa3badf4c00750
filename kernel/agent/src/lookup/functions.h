/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of an ELF file: found by name, and examined for what a probe on their
 * entry and on each of their ends would do.
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

/* How one instruction can end a call.  sp is that of the entry at each of them. */
enum fn_site_kind {
	FN_SITE_RET,		/* always */
	FN_SITE_JUMP,		/* direct tail call: always */
	FN_SITE_JUMP_COND,	/* direct tail call, if condition holds for the flags */
	FN_SITE_JUMP_REG,	/* indirect: ends the call if the register's value is outside */
	FN_SITE_JUMP_MEM,	/* tail call through memory: always */
};

struct fn_site {
	uint64_t address;	/* in the file's address space */
	uint64_t file_offset;
	enum fn_site_kind kind;
	uint8_t condition;	/* FN_SITE_JUMP_COND: low nibble of the x86 opcode; arm64: as encoded */
	uint8_t reg;		/* FN_SITE_JUMP_REG: x86 number, 0 = rax … 15 = r15; arm64: 0 … 30 */
	enum fn_insn_cost cost;
	/* Of a jump: which of goes_on the call continues in; -1: known only as it runs. */
	int goes_on;
};

/* Which file was looked at, whatever has its name by now; inode 0: it is not known. */
struct fn_file_id {
	dev_t device;
	ino_t inode;
};

/*
 * A function that calls go on in after they left by a jump: a tail call's target, also one
 * in another library, and what that goes on to in turn.
 */
struct fn_continuation {
	char *name;		/* as fn_function has it */
	char *binary;		/* as fn_list has it; NULL: that of the function itself */
	char *open_path;
	struct fn_file_id file;	/* of open_path */
	uint64_t file_offset;	/* of its first instruction */
	/* Whether sites are all its ends: then a call's end in it can be seen. */
	bool followed;
	struct fn_site *sites;	/* addresses in its own file; goes_on as in fn_site */
	size_t nr_sites;
};

/*
 * Code of the function: its own, and parts that the compiler moved elsewhere (NAME.cold).
 * Addresses are in the file's address space.  FN_SITE_JUMP_REG at a site S, probed at
 * instruction pointer ip, ends the call unless S.address + (register - ip) is in one.
 */
struct fn_range {
	uint64_t start, end;
};

struct fn_function {
	char *name;		/* demangled, else symbol */
	char *symbol;
	char **aliases;		/* other symbols of the same address; NULL-terminated, or NULL */
	uint64_t address;	/* in the file's address space */
	uint64_t file_offset;
	uint64_t size;		/* bytes */
	enum fn_language language;
	bool was_chosen;	/* symbol stands for code at address, chosen when it was loaded */
	/* In how many places its code is part of its callers, where calls are not seen. */
	size_t inlined_places;	/* of an exact name, where the file tells; else 0 */
	bool probeable;
	char *reason;		/* one sentence where not probeable, else NULL */
	/*
	 * File offset for the entry probe: past endbr64, or a few instructions further where
	 * the kernel emulates one.  sp is that of the entry, and each call passes it once.
	 */
	uint64_t entry_offset;
	enum fn_insn_cost entry_cost;
	enum fn_exit_kind exit_kind;
	bool forced;		/* FN_EXIT_URETPROBE although nothing proves it harmless */
	struct fn_site *sites;	/* FN_EXIT_SITES: every way out, ascending by file offset */
	size_t nr_sites;	/* 0 also if it never returns */
	struct fn_continuation *goes_on;
	size_t nr_goes_on;
	struct fn_range *ranges;	/* where probeable; the first is its own */
	size_t nr_ranges;
};

struct fn_list {
	struct fn_function *functions;	/* by name */
	size_t nr;
	size_t total_matches;	/* before the limit */
	char *binary;		/* path as the process sees it */
	char *open_path;	/* through which the agent can open it, e.g. /proc/PID/root/… */
	char build_id[41];	/* hex, empty if none */
	/* The process does not map it: calls of its functions are seen once it does. */
	bool not_loaded;
	struct fn_file_id file;	/* of open_path */
};

struct fn_query {
	pid_t pid;		/* 0: binary is a path */
	const char *binary;	/* path, or with pid a base name; NULL or "": its executable */
	const char *pattern;	/* exact, demangled with or without parameters, or glob */
	size_t limit;
	/* Where not NULL, instead of pattern: symbols by their names in the file, ascending by strcmp. */
	const char *const *names;
	size_t nr_names;
	/* Replace return addresses also where nothing proves it harmless. */
	bool force_returns;
	/* Code that comes later is noticed before it runs; else return addresses are replaced only
	   where none is expected to come. */
	bool code_is_watched;
	/* Filters of system calls let the kernel's way back from a replaced return address through. */
	bool filters_pass;
	/* Not of a file that gives rights to whoever executes it: the process may do so next. */
	bool no_raising_files;
};

/* Returns 0 and fills list, or -1 and fills error.  Free either with the call below. */
int fn_list__find(struct fn_list *list, const struct fn_query *query, struct error *error);
void fn_list__free(struct fn_list *list);
/*
 * What its calls may go on in without their ends being seen: nr names, which are the
 * function's, in an array to be freed; NULL without memory.
 */
char **fn_function__goes_on_unseen(const struct fn_function *function, size_t *nr);

/*
 * What the code that a process maps now can do to its stacks, as far as decoding proves it:
 * code that comes later (exec, dlopen, mmap) is not part of the answer.
 */
struct fn_process_safety {
	bool returns;		/* replaced return addresses are harmless */
	bool one_stack;		/* no thread ever goes on with another stack; it may unwind */
	bool code_stays;	/* nothing is imported by which other code comes */
	bool sets_filters;	/* its code can filter its system calls (seccomp) */
	char reason[512];	/* one sentence where not both: which file, what, where */
};
/* fn_list__find with a pid applies it to exit_kind itself.  Answers are kept by file. */
void fn_process_safety__read(struct fn_process_safety *safety, pid_t pid);
/*
 * Why system calls of it are filtered, or can come to be, in the form of reason; NULL: they are not.
 * Where filters judge the kernel's way back from a replaced return address as well, one that does not
 * know it ends the process.  Looks at all of its threads.
 */
const char *fn_process_safety__filtered(const struct fn_process_safety *safety, pid_t pid);

#endif
