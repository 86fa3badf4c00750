/* SPDX-License-Identifier: GPL-2.0 */
/* The places of threads that are in eBPF programs of the recording, see program-mark.bpf.h. */
#ifndef KVIEW_PROGRAM_MARKS_H
#define KVIEW_PROGRAM_MARKS_H

#define PROGRAM_MARKS	16384	/* a power of two; two threads whose numbers differ by it share a place */

#endif
