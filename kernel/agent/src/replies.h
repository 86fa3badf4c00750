/* SPDX-License-Identifier: GPL-2.0 */
/* Answers that need no state of the connection: built, sent, forgotten. */
#ifndef KVIEW_REPLIES_H
#define KVIEW_REPLIES_H

#include "agent.pb-c.h"
#include "calibrate.h"
#include "functions.h"
#include "wire.h"

void reply__error(struct wire *wire, uint32_t request_id, const struct fn_error *error);
/* Returns whether the client speaks this version of the protocol. */
bool reply__hello(struct wire *wire, uint32_t request_id,
		  const Kview__Wire__HelloRequest *request);
void reply__processes(struct wire *wire, uint32_t request_id);
void reply__functions(struct wire *wire, uint32_t request_id,
		      const Kview__Wire__FindFunctionsRequest *request,
		      const struct calibration *calibration);

/* Measures, keeps what was measured, and tells it. */
void reply__calibration(struct wire *wire, uint32_t request_id,
			struct calibration *calibration);

#endif
