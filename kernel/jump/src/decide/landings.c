// SPDX-License-Identifier: GPL-2.0
/*
 * Where exceptions go on: the call sites of a function's language-specific data (.gcc_except_table), in the form that
 * C++, Rust, Ada and C with cleanups share.
 */
#include "decide/targets.h"
#include "lookup/frame_reader.h"

/* The encodings that a table of call sites may have: numbers without anything that they are relative to. */
static bool is_plain(uint8_t encoding)
{
	return encoding == 0x01 || encoding == 0x03 || encoding == 0x04 || encoding == 0x00;
}

static uint64_t take_plain(struct reader *in, uint8_t encoding)
{
	return encoding == 0x01 ? take_uleb(in) : take_pointer(in, encoding, 0);
}

bool targets__mark_landings(struct targets *targets, const struct frame_function *function)
{
	const struct target_range *range;
	uint64_t base = function->start;
	struct reader in;
	uint8_t encoding;
	uint64_t length;

	if (!function->has_landing_pads || !function->landing_table)
		return true;
	range = targets__range_of(targets, function->landing_table);
	if (function->landing_table == UINT64_MAX || !range)
		return false;
	in = (struct reader){ range->bytes + (function->landing_table - range->start),
			      range->bytes + (range->end - range->start) };
	encoding = take(&in, 1);
	if (in.at && encoding != ENCODING_OMITTED)
		base = take_pointer(&in, encoding, range->start + (in.at - range->bytes));
	encoding = take(&in, 1);
	if (encoding != ENCODING_OMITTED)
		take_uleb(&in);
	encoding = take(&in, 1);
	length = take_uleb(&in);
	if (!in.at || !is_plain(encoding) || length > (uint64_t)(in.end - in.at))
		return false;
	in.end = in.at + length;
	while (in.at && in.at < in.end) {
		uint64_t landing;

		take_plain(&in, encoding);
		take_plain(&in, encoding);
		landing = take_plain(&in, encoding);
		take_uleb(&in);
		if (in.at && landing)
			targets__mark(targets, base + landing, TARGET_LANDING);
	}
	return in.at;
}
