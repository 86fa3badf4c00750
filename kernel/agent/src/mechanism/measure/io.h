/* SPDX-License-Identifier: GPL-2.0 */
/* What a program does with block devices within calls: see bpf/io.bpf.h. */
#ifndef KVIEW_IO_H
#define KVIEW_IO_H

#include "mechanism/measure/measures.h"

extern const struct measure io_measure;

#endif
