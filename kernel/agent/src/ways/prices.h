/* SPDX-License-Identifier: GPL-2.0 */
/* What measuring costs on this host, in each way that a recording may have: as recordings find it before they attach. */
#ifndef KVIEW_WAYS_PRICES_H
#define KVIEW_WAYS_PRICES_H

#include "agent.pb-c.h"

struct calibration;
struct ways;

/* Takes a second or so a way; nothing stays attached.  NULL: no memory. */
struct ways *ways__measure(struct calibration *calibration);
/* Valid until ways__free. */
void ways__tell(struct ways *ways, Kview__Wire__CalibrateReply *reply);
void ways__free(struct ways *ways);

#endif
