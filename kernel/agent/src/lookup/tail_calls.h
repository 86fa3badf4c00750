/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where calls go on after they leave their function by a jump: followed from function to function.
 * In a process they are also followed into other files, as far as the slots for those jumps are
 * filled.
 */
#ifndef KVIEW_TAIL_CALLS_H
#define KVIEW_TAIL_CALLS_H

#include "lookup/tail_nodes.h"

/*
 * Fills in goes_on of a function of the first file, and of its sites.  Returns -1 without memory.
 */
int tail_calls__follow(struct tail_nodes *nodes, struct fn_function *function);

#endif
