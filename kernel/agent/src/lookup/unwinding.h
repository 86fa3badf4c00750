/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether return addresses on the stack may be replaced (what a uretprobe does).
 *
 * An exception or a cancelled thread unwinds the stack by its return addresses: it meets
 * the kernel's instead, finds nothing that describes them, and the process is aborted.
 * A coroutine or a green thread goes on with another stack: the kernel takes its returns
 * for those of the wrong call.  Both are known by what programs and libraries import, for
 * which no symbol table is needed.  Being wrong kills the process, so whatever is not known
 * counts as a no: a static program without symbols, anonymous code of a just-in-time
 * compiler, and dlopen, by which anything can come later.
 *
 * The C library itself has all of that inside, and is asked for it only through the names
 * looked for here; so it is exempt.
 */
#ifndef KVIEW_UNWINDING_H
#define KVIEW_UNWINDING_H

#include "elf_file.h"

/* Go moves stacks and has return addresses of its own everywhere. */
bool elf_file__is_go(const struct elf_file *file);

/*
 * Whether this file by itself leaves return addresses alone.  With alone also no library may
 * be needed that is not known: for where no process shows which ones are there.
 */
bool elf_file__leaves_returns_alone(const struct elf_file *file, bool alone);

/* By base name: a library of the C library's own. */
bool is_libc(const char *path);

/* Functions that read or keep their own return address, as setjmp and dlsym do. */
bool function__uses_return_address(const char *symbol);

#endif
