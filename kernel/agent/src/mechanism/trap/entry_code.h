/* SPDX-License-Identifier: GPL-2.0 */
/* Where the kernel's code begins and ends that takes a thread in from its program. */
#ifndef KVIEW_ENTRY_CODE_H
#define KVIEW_ENTRY_CODE_H

#include <linux/types.h>

#include "mechanism/trap/bpf/xprobe.h"

/* Looks again where they were hidden.  Zero what is not known: on other architectures, and where the kernel tells no addresses. */
struct xp_entry_code entry_code__find(void);
/* NULL, or why it was not known then, as what follows "because". */
const char *entry_code__unknown(void);

#endif
