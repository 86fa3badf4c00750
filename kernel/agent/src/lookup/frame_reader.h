/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the numbers and pointers that .eh_frame and the tables of exceptions are made of. */
#ifndef KVIEW_FRAME_READER_H
#define KVIEW_FRAME_READER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ENCODING_PC_RELATIVE 0x10
#define ENCODING_OMITTED 0xff
/* Ten hold any; some writers fill up to a fixed length.  A longer one is not understood: it could be as long as the file. */
#define MAX_LEB_BYTES 16

/* Reads forward from at.  After a read beyond end, at is NULL, and all further values are 0. */
struct reader {
	const uint8_t *at, *end;
};

static inline uint64_t take(struct reader *reader, size_t length)
{
	uint64_t value = 0;

	if (!reader->at || (size_t)(reader->end - reader->at) < length) {
		reader->at = NULL;
		return 0;
	}
	memcpy(&value, reader->at, length);
	reader->at += length;
	return value;
}

static inline uint64_t take_uleb(struct reader *reader)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; reader->at; shift += 7) {
		uint8_t byte = take(reader, 1);

		if (shift == 7 * MAX_LEB_BYTES)
			reader->at = NULL;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

static inline int64_t take_sleb(struct reader *reader)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte = 0;

	do {
		byte = take(reader, 1);
		if (shift == 7 * MAX_LEB_BYTES)
			reader->at = NULL;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (reader->at && byte & 0x80);
	if (shift < 64 && byte & 0x40)
		value |= ~0ull << shift;
	return value;
}

static inline void skip(struct reader *reader, uint64_t length)
{
	if (!reader->at || (uint64_t)(reader->end - reader->at) < length)
		reader->at = NULL;
	else
		reader->at += length;
}

/* place: the address of the pointer itself. */
static inline uint64_t take_pointer(struct reader *reader, uint8_t encoding, uint64_t place)
{
	uint64_t value;

	switch (encoding & 0x0f) {
	case 0x00: case 0x04: case 0x0c:
		value = take(reader, 8);
		break;
	case 0x03:
		value = take(reader, 4);
		break;
	case 0x0b:
		value = (int64_t)(int32_t)take(reader, 4);
		break;
	default:
		reader->at = NULL;
		return 0;
	}
	if (encoding & 0xe0)
		reader->at = NULL;
	return encoding & ENCODING_PC_RELATIVE ? value + place : value;
}

#endif
