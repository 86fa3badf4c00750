// SPDX-License-Identifier: GPL-2.0
#include "mechanism/measure/io.h"

static const struct quantity quantities[] = {
	{ XP_IO_REQUESTS, "io_requests", "block requests", KVIEW__WIRE__QUANTITY__UNIT__COUNT, NULL },
	{ XP_IO_READ_BYTES, "io_read_bytes", "read from block devices", KVIEW__WIRE__QUANTITY__UNIT__BYTES, NULL },
	{ XP_IO_WRITTEN_BYTES, "io_written_bytes", "written to block devices", KVIEW__WIRE__QUANTITY__UNIT__BYTES, NULL },
	{ XP_IO_DEVICE_NS, "io_device_ns", "device time", KVIEW__WIRE__QUANTITY__UNIT__NANOSECONDS, "requests" },
};

static const char *const programs[] = { "io_begins", "io_joins_behind", "io_joins_before", "io_is_issued", "io_ends", NULL };
static const char *const maps[] = { "io_requests", NULL };

const struct measure io_measure = {
	.number = XP_MEASURE_IO, .name = "io", .capability = "measure-io",
	.does = "Requests to block devices, their bytes and the devices' time are counted within calls of functions of programs.",
	.quantities = quantities, .nr = sizeof(quantities) / sizeof(*quantities), .programs = programs, .maps = maps,
	.others = "To count I/O within calls costs each request to a block device of this host, whoever makes it, some tenths of a µs.",
};
