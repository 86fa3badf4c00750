/* SPDX-License-Identifier: GPL-2.0 */
/* Turns the kernel's counters into HistogramDelta messages. */
#ifndef KVIEW_HISTOGRAMS_H
#define KVIEW_HISTOGRAMS_H

#include "agent.pb-c.h"
#include "mechanism/figures.h"

struct histograms;

/*
 * Deltas of functions 0 .. nr_functions - 1 from now on, whose figures are at points, by function.
 * These and points itself must stay valid.  NULL: no memory.
 */
struct histograms *histograms__new(const struct point_figures *points, size_t nr_functions);
void histograms__free(struct histograms *histograms);

/*
 * What changed since the previous call.  The arrays belong to histograms and are valid
 * until the next call.  Returns how many figures (metrics of a function) could not be fetched
 * for want of memory: the next call tries them again, so only the last one's are lost.
 * begin_ns, end_ns: of the recording, on CLOCK_MONOTONIC; end_ns is 0 while it goes on.
 */
size_t histograms__take(struct histograms *histograms, uint64_t begin_ns, uint64_t end_ns,
			Kview__Wire__FunctionDelta ***functions, size_t *nr);

/* The next histograms__take returns this function even if it did not change. */
void histograms__mention(struct histograms *histograms, size_t function);
/* The same for all functions that were ever returned. */
void histograms__mention_told(struct histograms *histograms);

#endif
