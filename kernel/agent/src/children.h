/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Children that the traced process forks: their copy of its code has the probes in it, which
 * would cost them their traps for as long as the recording lasts.  Each child gets its
 * original instructions back; nothing else of it is touched.
 *
 * A child that uses the same memory (vfork, CLONE_VM) is left alone: the probes in it are the
 * parent's.
 */
#ifndef KVIEW_CHILDREN_H
#define KVIEW_CHILDREN_H

#include "places.h"

struct held_files;

/*
 * Before the first probe is attached to a process: which of places have a breakpoint already, of
 * a debugger or of another tool's probe, which children keep as their copy has both; and which
 * have another instruction than the file, where no probe may be put.  Returns 0, or -1: the process
 * or its memory can't be had, errno says why.
 */
int child__note_code(pid_t pid, struct places *places, struct held_files *files);

/*
 * Puts the file's own instruction wherever the process has a breakpoint at one of places, and
 * maps the very file there that files holds since the probes were attached: whatever has its
 * name by now, or the process's number, gets nothing written.  Returns how many it was, or -1: the
 * process or its memory can't be had, errno says why.
 */
int child__restore(pid_t pid, struct places *places, struct held_files *files);

#endif
