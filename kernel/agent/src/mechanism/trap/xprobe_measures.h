/* SPDX-License-Identifier: GPL-2.0 */
/* The eBPF programs of measures: those that count elsewhere than at probes. */
#ifndef KVIEW_XPROBE_MEASURES_H
#define KVIEW_XPROBE_MEASURES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct bpf_object;
struct xprobe;

/* Before load: those that were chosen are loaded, and no other. */
void xprobe_measures__choose(struct bpf_object *object, uint32_t chosen);
/* Whether any of those that were chosen can't be read by programs that may sleep. */
bool xprobe_measures__never_sleep(uint32_t chosen);
/* After load, before a probe is there.  Returns 0, or -1 with error filled. */
int xprobe_measures__begin(struct bpf_object *object, uint32_t chosen, struct error *error);
/* Returns 0, or -1 with error filled; xprobe_measures__detach() in any case. */
int xprobe_measures__attach(struct xprobe *xprobe, struct error *error);
void xprobe_measures__detach(struct xprobe *xprobe);

#endif
