/* SPDX-License-Identifier: GPL-2.0 */
/* What is in doubt about waits within probes, see docs/waits-in-probes.md. */
#ifndef KVIEW_WAITS_NOTE_H
#define KVIEW_WAITS_NOTE_H

#include <stdbool.h>
#include <stddef.h>

#include "mechanism/trap/bpf/xprobe.h"

/*
 * Sentences, none where nothing is.  ways_in: what the agent's own child saw, as it was calibrated with;
 * may_be_its_own: as in struct figures.
 */
void waits_note__tell(char *note, size_t size, struct xp_ways_in ways_in, bool may_be_its_own);

#endif
