/* SPDX-License-Identifier: GPL-2.0 */
/* What has to hold before any mechanism loads eBPF programs. */
#ifndef KVIEW_BPF_ACCESS_H
#define KVIEW_BPF_ACCESS_H

#include "base/error.h"

/*
 * eBPF programs see the host's process ids.  In a container with its own process ids they
 * would measure another process.  Returns 0, or -1 with error filled.
 */
int bpf_access__prepare(struct error *error);

#endif
