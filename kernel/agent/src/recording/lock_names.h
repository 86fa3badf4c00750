/* SPDX-License-Identifier: GPL-2.0 */
/* What lies at addresses of a process: the variable, or else the file or the part of its memory. */
#ifndef KVIEW_LOCK_NAMES_H
#define KVIEW_LOCK_NAMES_H

#include <stdint.h>
#include <sys/types.h>

struct lock_names;

/* NULL: no memory. */
struct lock_names *lock_names__new(pid_t pid);
/* NULL is allowed. */
void lock_names__free(struct lock_names *names);
/* Its name is to be found the next time, unless it is known.  Beyond some thousands they are left without one. */
void lock_names__want(struct lock_names *names, uint64_t address);
/* Looks at the process, if there are any that were not looked for. */
void lock_names__find(struct lock_names *names);
/* "" where it is not known. */
const char *lock_names__of(const struct lock_names *names, uint64_t address);

#endif
