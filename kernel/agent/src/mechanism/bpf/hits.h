/* SPDX-License-Identifier: GPL-2.0 */
/* What eBPF programs that count hits of points and the agent share. */
#ifndef KVIEW_HITS_H
#define KVIEW_HITS_H

#include "mechanism/bpf/figures.h"

#define HITS_MOST	512	/* points of a recording, and one that the costs are measured with */
#define HITS_INTERVALS	65536	/* threads, times the points that each hit */

#endif
