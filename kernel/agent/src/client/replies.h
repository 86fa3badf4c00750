/* SPDX-License-Identifier: GPL-2.0 */
/* Answers that need no state of the connection. */
#ifndef KVIEW_REPLIES_H
#define KVIEW_REPLIES_H

#include "agent.pb-c.h"
#include "base/error.h"
#include "client/wire.h"
#include "mechanism/mechanism.h"

void reply__error(struct wire *wire, uint32_t request_id, const struct error *error);
/* The same for an error that refers to what was sent before: it overtakes nothing. */
void reply__error_behind(struct wire *wire, uint32_t request_id, const struct error *error);
/* And frees it. */
void reply__refuse(struct wire *wire, uint32_t request_id, struct error *error);
void reply__refuse_behind(struct wire *wire, uint32_t request_id, struct error *error);
/* Returns whether the client speaks this version of the protocol. */
bool reply__hello(struct wire *wire, uint32_t request_id,
		  const Kview__Wire__HelloRequest *request);
/*
 * Answers all other requests that need no state except the measured cost of probes, which a
 * calibration request measures anew.  Refuses requests that it does not know.
 */
void reply__stateless(struct wire *wire, const Kview__Wire__ToAgent *request,
		      struct calibration *calibration);

/* Replaces figures by ones that tell nothing new. */
void reply__withhold(Kview__Wire__HistogramDelta *figures, Kview__Wire__Losses *told_losses);

void reply__mapped_files(struct wire *wire, uint32_t request_id,
			 const Kview__Wire__ListMappedFilesRequest *request);

#endif
