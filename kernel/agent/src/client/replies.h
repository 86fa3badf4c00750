/* SPDX-License-Identifier: GPL-2.0 */
/* Answers that need no state of the connection: built, sent, forgotten. */
#ifndef KVIEW_REPLIES_H
#define KVIEW_REPLIES_H

#include "agent.pb-c.h"
#include "base/error.h"
#include "client/wire.h"
#include "mechanism/trap/calibrate.h"

void reply__error(struct wire *wire, uint32_t request_id, const struct error *error);
/* The same of what tells of something that was sent before: it overtakes nothing. */
void reply__error_behind(struct wire *wire, uint32_t request_id, const struct error *error);
/* Returns whether the client speaks this version of the protocol. */
bool reply__hello(struct wire *wire, uint32_t request_id,
		  const Kview__Wire__HelloRequest *request);
/*
 * Everything else that needs no state but what was measured of the probes' cost, which a
 * calibration renews.  What is not known is refused.
 */
void reply__stateless(struct wire *wire, const Kview__Wire__ToAgent *request,
		      struct calibration *calibration);

void reply__mapped_files(struct wire *wire, uint32_t request_id,
			 const Kview__Wire__ListMappedFilesRequest *request);

#endif
