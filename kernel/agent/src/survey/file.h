/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEW_SURVEY_FILE_H
#define KVIEW_SURVEY_FILE_H

#include "survey/code.h"

/* Opens a file of a process as whoever may read it.  False without memory; is_open tells the rest. */
bool survey_file__open(struct survey_file *file, const struct mapped_file *mapped, pid_t pid);
/* The kernel's part in each process, which the agent has as well; at is where the process has it. */
bool survey_file__open_vdso(struct survey_file *file, uint64_t at);
/*
 * Reads frames and symbols, at the first call, and closes the file.  *room: how many bytes they may take, from
 * which what they take is subtracted; a file that does not fit is without.
 */
void survey_file__load(struct survey_file *file, uint64_t *room);
void survey_file__close(struct survey_file *file);

/* Where the process has the kernel's part, and 0 if it has none. */
uint64_t vdso__of(pid_t pid);

#endif
