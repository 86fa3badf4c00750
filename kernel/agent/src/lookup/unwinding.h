/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether return addresses on the stack may be replaced (what a uretprobe does).
 *
 * An exception or a cancelled thread unwinds the stack by its return addresses: it meets
 * the kernel's instead, finds nothing that describes them, and the process is aborted.
 * Who can unwind is known by what files import and define.  A coroutine, a green thread or a
 * signal handler with a stack of its own goes on elsewhere: the kernel takes its returns for
 * those of the wrong call.  That nothing does so is proven from the code (stack_proof.h) and
 * from what is imported (imports.h).  Being wrong kills the process, so whatever leaves a
 * doubt counts as a no.
 *
 * The C library itself has all of that inside, and is asked for it only through the names
 * looked for there; so it is exempt.
 */
#ifndef KVIEW_UNWINDING_H
#define KVIEW_UNWINDING_H

#include "lookup/elf_file.h"
#include "lookup/functions.h"

struct file_safety {
	bool returns, one_stack;	/* as struct fn_process_safety has them */
	bool code_stays;		/* it asks for nothing by which other code comes */
	bool handles_signals, writes_context;	/* together: stacks may be switched so */
	bool sets_filters;		/* of system calls */
	char reason[256];		/* without subject and stop: "imports …" */
};

/* Go moves stacks and has return addresses of its own everywhere. */
bool elf_file__is_go(const struct elf_file *file);

/* path: by which the C library's own files are known. */
void elf_file__examine_safety(const struct elf_file *file, const char *path,
			      struct file_safety *safety);

/* Whether it needs no libraries but those of the C library: for where no process shows which. */
bool elf_file__is_complete(const struct elf_file *file);

/* By base name: a library of the C library's own. */
bool is_libc(const char *path);

/* Functions that read or keep their own return address, as setjmp and dlsym do. */
bool function__uses_return_address(const char *symbol);

#endif
