/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of kernel functions by a process's threads, measured by eBPF programs at the functions' entries and
 * returns.  All processes pass them.  It serves root alone.
 */
#ifndef KVIEW_KERNEL_H
#define KVIEW_KERNEL_H

#include "mechanism/mechanism.h"

extern const struct mechanism_kind kernel_kind;

#endif
