// SPDX-License-Identifier: GPL-2.0
/* A recording whose process changed while it began is begun again. */
#include <stdlib.h>

#include "base/error.h"
#include "mechanism/mechanisms.h"
#include "recording/recording.h"

struct recording *recording__start(const Kview__Wire__StartRecordingRequest *request,
				   uint32_t request_id, ProtobufCBinaryData token,
				   const struct recording_sink *sink, struct recording_prepared *prepared,
				   struct calibration *latest, struct error *error)
{
	struct left_points left = { .points = calloc(request->n_probes + 1, sizeof(*left.points)) };
	struct recording *recording = NULL;

	prepared->left = &left;
	if (!left.points)
		error__set(error, ERR_FAILED, "Out of memory.");
	while (left.points) {
		recording = recording__try(request, request_id, token, sink, prepared, latest, error);
		if (recording || !left.once_more)
			break;
		error__free(error);
		*error = (struct error){ 0 };
	}
	prepared->left = NULL;
	free(left.points);
	return recording;
}
