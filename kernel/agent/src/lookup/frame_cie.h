/* SPDX-License-Identifier: GPL-2.0 */
/* What several functions' frame records (.eh_frame) share. */
#ifndef KVIEW_FRAME_CIE_H
#define KVIEW_FRAME_CIE_H

#include "lookup/elf_file.h"
#include "lookup/frame_reader.h"

struct frame_cie {
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding;
	bool has_augmentation_data;
	bool has_landing_pads;
	uint8_t landing_encoding;
	bool is_signal;			/* of what a signal interrupted: no call leads to its caller */
	uint64_t return_register;
	struct reader program;
};

/* Reads the record at this offset of the section; false if it is not understood. */
bool frame_cie__read(const struct elf_bytes *bytes, uint32_t offset, struct frame_cie *cie);

#endif
