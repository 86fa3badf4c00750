/* SPDX-License-Identifier: GPL-2.0 */
/* What the processor counts of a program's code within calls: see bpf/counters.bpf.h. */
#ifndef KVIEW_COUNTERS_H
#define KVIEW_COUNTERS_H

#include "mechanism/measure/measures.h"

extern const struct measure counters_measure;

#endif
