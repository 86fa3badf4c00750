/* SPDX-License-Identifier: GPL-2.0 */
/* What system calls are called in the kernel's headers, for the architecture of this agent. */
#ifndef KVIEW_CALL_NAMES_H
#define KVIEW_CALL_NAMES_H

/* Where these headers have no name for it, the number. */
const char *call_name__of(unsigned int number);

#endif
