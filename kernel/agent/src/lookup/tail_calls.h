/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where calls go on that leave their function by a jump: followed from function to function,
 * in a process also into other files, as far as the slots that it jumps through are filled.
 */
#ifndef KVIEW_TAIL_CALLS_H
#define KVIEW_TAIL_CALLS_H

#include "lookup/tail_nodes.h"

/*
 * Fills goes_on of a function of the first file, and that of its sites.  Returns -1 without
 * memory.
 */
int tail_calls__follow(struct tail_nodes *nodes, struct fn_function *function);

#endif
