/* SPDX-License-Identifier: GPL-2.0 */
/* Where in the kernel's memory its entry code is, by which threads come from their program into the kernel. */
#ifndef KVIEW_ENTRY_CODE_H
#define KVIEW_ENTRY_CODE_H

#include <linux/types.h>

#include "mechanism/trap/bpf/xprobe.h"

/*
 * What is not known is 0: on other architectures, and where the kernel shows no addresses.  If it showed
 * none the last time, this looks again.
 */
struct xp_entry_code entry_code__find(void);
/* NULL, or why it was not known the last time, in words that follow "because". */
const char *entry_code__unknown(void);

#endif
