/* SPDX-License-Identifier: GPL-2.0 */
/* What a program takes of memory within calls: see bpf/alloc.bpf.h. */
#ifndef KVIEW_ALLOC_H
#define KVIEW_ALLOC_H

#include "mechanism/measure/measures.h"

extern const struct measure alloc_measure;

#endif
