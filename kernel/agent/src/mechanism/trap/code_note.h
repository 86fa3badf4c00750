/* SPDX-License-Identifier: GPL-2.0 */
/* What a process has in its memory where probes are to be set. */
#ifndef KVIEW_CODE_NOTE_H
#define KVIEW_CODE_NOTE_H

#include "mechanism/trap/places.h"

struct held_files;

/*
 * To be called before the first probe is attached to a process.  Finds the places that have a
 * breakpoint already, of a debugger or of another tool's probe: forked children have to keep these.
 * And finds the places where the process has another instruction than the file, where no probe may be
 * put.  Writes nothing to the process.  Returns
 * 0, or -1: the process or its memory can't be had, errno says why.
 */
int code__note(pid_t pid, struct places *places, struct held_files *files);

#endif
