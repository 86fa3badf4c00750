/* SPDX-License-Identifier: GPL-2.0 */
/* The eBPF programs of measures: those that count elsewhere than at probes. */
#ifndef KVIEW_XPROBE_MEASURES_H
#define KVIEW_XPROBE_MEASURES_H

#include <stdint.h>

#include "base/error.h"

struct bpf_object;
struct xprobe;

/* Before load: those that were chosen are loaded, and no other. */
void xprobe_measures__choose(struct bpf_object *object, uint32_t chosen);
/* Returns 0, or -1 with error filled; xprobe_measures__detach() in any case. */
int xprobe_measures__attach(struct xprobe *xprobe, struct error *error);
void xprobe_measures__detach(struct xprobe *xprobe);

#endif
