/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEW_STACKS_FILE_H
#define KVIEW_STACKS_FILE_H

#include "stacks/code.h"

/* Opens a file of a process as whoever may read it.  False without memory; is_open tells the rest. */
bool stack_file__open(struct stack_file *file, const struct mapped_file *mapped, pid_t pid);
/* The kernel's part in each process, which the agent has as well; at is where the process has it. */
bool stack_file__open_vdso(struct stack_file *file, uint64_t at);
/*
 * Reads frames and symbols, at the first call, and closes the file.  *room: how many bytes they may take, from
 * which what they take is subtracted; a file that does not fit is without.
 */
void stack_file__load(struct stack_file *file, uint64_t *room);
void stack_file__close(struct stack_file *file);

/* Where the process has the kernel's part, and 0 if it has none. */
uint64_t vdso__of(pid_t pid);

#endif
