// SPDX-License-Identifier: GPL-2.0
#include "lookup/frame_cie.h"

#include <string.h>

/* It is read again for each function that refers to it, so all that is read of it is bounded. */
#define MAX_AUGMENTATION_LETTERS 32

bool frame_cie__read(const struct elf_bytes *bytes, uint32_t offset, struct frame_cie *cie)
{
	struct reader in = { bytes->data + offset, bytes->data + bytes->length };
	const char *augmentation;
	uint32_t length;
	size_t most;
	uint8_t version;

	*cie = (struct frame_cie){ .landing_encoding = ENCODING_OMITTED };
	if (offset > bytes->length)
		return false;
	length = take(&in, 4);
	if (!in.at || length > in.end - in.at)
		return false;
	in.end = in.at + length;
	if (take(&in, 4) || !in.at)
		return false;
	version = take(&in, 1);
	augmentation = (const char *)in.at;
	if (!in.at)
		return false;
	most = in.end - in.at;
	if (!memchr(in.at, 0, most < MAX_AUGMENTATION_LETTERS ? most : MAX_AUGMENTATION_LETTERS))
		return false;
	skip(&in, strlen(augmentation) + 1);
	cie->code_align = take_uleb(&in);
	cie->data_align = take_sleb(&in);
	cie->return_register = version == 1 ? take(&in, 1) : take_uleb(&in);
	if (*augmentation == 'z') {
		struct reader data = in;
		uint64_t data_bytes = take_uleb(&data);

		cie->has_augmentation_data = true;
		in = data;
		skip(&in, data_bytes);
		if (!in.at)
			return false;
		data.end = in.at;
		while (*++augmentation)
			if (*augmentation == 'R')
				cie->encoding = take(&data, 1);
			else if (*augmentation == 'L')
				cie->landing_encoding = take(&data, 1);
			else if (*augmentation == 'P')
				/* Only skipped, so it does not matter what it is relative to. */
				take_pointer(&data, take(&data, 1) & 0x0f, 0);
			else if (*augmentation == 'S')
				cie->is_signal = true;
			else if (*augmentation != 'B')
				return false;
		if (!data.at)
			return false;
	} else if (*augmentation) {
		return false;
	}
	cie->has_landing_pads = cie->landing_encoding != ENCODING_OMITTED;
	cie->program = in;
	return in.at && (version == 1 || version == 3);
}
