/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last check before probes are attached, with the agent's own rights: under a probe the kernel
 * runs the instruction of the file, even if the process has another one there.
 */
#ifndef KVIEW_CODE_CHECK_H
#define KVIEW_CODE_CHECK_H

#include "mechanism/trap/places.h"

struct held_files;

/*
 * Marks places that have a breakpoint already (code__note).  Returns 0, or -1 with error
 * filled: the process has other code at one of them, or maps it as data as well, its memory
 * can't be read, or it has ended.
 * functions: those that places are of, for the name in the message; nr 0: the loader's place.
 */
int code__check(pid_t pid, struct places *places, struct held_files *files,
		const struct xprobe_function *functions, size_t nr, struct error *error);
/* The same of all processes of the host: those that map the files will all have the probes. */
int code__check_all(struct places *places, struct held_files *files, const struct xprobe_function *functions, size_t nr,
		    struct error *error);

#endif
