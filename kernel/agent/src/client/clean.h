/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEW_CLEAN_H
#define KVIEW_CLEAN_H

#include <stdbool.h>

#include "client/wire.h"

/* Answers a CleanRequest.  is_recording: this connection holds a process. */
void clean__serve(struct wire *wire, uint32_t request_id, const Kview__Wire__CleanRequest *request, bool is_recording);

#endif
