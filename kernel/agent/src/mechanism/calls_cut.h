/* SPDX-License-Identifier: GPL-2.0 */
/* System calls that a view may not have shown, see bpf/calls-cut.bpf.h. */
#ifndef KVIEW_CALLS_CUT_H
#define KVIEW_CALLS_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As a sentence, after one blank where note has something already; watches: whether the program could be attached. */
void calls_cut__tell(char *note, size_t size, bool watches, uint64_t times);

#endif
