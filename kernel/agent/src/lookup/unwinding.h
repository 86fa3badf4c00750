/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether return addresses on the stack may be replaced (what a uretprobe does).
 *
 * An exception or a cancelled thread unwinds the stack by its return addresses.  It would meet the
 * kernel's addresses instead, find nothing that describes them, and abort the process.  What files
 * import and define shows which of them can unwind.  A coroutine, a green thread or a signal
 * handler with its own stack goes on elsewhere: the kernel would take its returns for those of the
 * wrong call.  That nothing does so is proven from the code (stack_proof.h) and from the imports
 * (imports.h).  A wrong answer kills the process, so any doubt counts as a no.
 *
 * The C library itself contains all of that.  But it does so only for files that use the names that
 * are looked for there, so it is exempt.
 */
#ifndef KVIEW_UNWINDING_H
#define KVIEW_UNWINDING_H

#include "lookup/elf_file.h"
#include "lookup/functions.h"

struct file_safety {
	bool returns, one_stack;	/* as in struct fn_process_safety */
	bool code_stays;		/* it imports nothing that loads other code */
	bool handles_signals, writes_context;	/* both together may switch stacks */
	bool sets_filters;		/* filters of system calls */
	char reason[256];		/* without subject and full stop: "imports …" */
};

/* Go moves its stacks, and uses return addresses in its own ways everywhere. */
bool elf_file__is_go(const struct elf_file *file);

/* path: by which the C library's own files are recognized. */
void elf_file__examine_safety(const struct elf_file *file, const char *path,
			      struct file_safety *safety);

/* Whether it is a program that needs only the C library's files; used if there is no process. */
bool elf_file__is_complete(const struct elf_file *file);

/* Whether it is one of the C library's files, by its base name. */
bool is_libc(const char *path);

/* Functions that read or keep their own return address, as setjmp and dlsym do. */
bool function__uses_return_address(const char *symbol);

#endif
