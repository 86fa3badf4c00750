// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include <bpf/libbpf.h>

#include "mechanism/measure/io.h"

static const struct quantity quantities[] = {
	{ XP_IO_REQUESTS, "io_requests", "block requests", KVIEW__WIRE__QUANTITY__UNIT__COUNT, NULL },
	{ XP_IO_READ_BYTES, "io_read_bytes", "read from block devices", KVIEW__WIRE__QUANTITY__UNIT__BYTES, NULL },
	{ XP_IO_WRITTEN_BYTES, "io_written_bytes", "written to block devices", KVIEW__WIRE__QUANTITY__UNIT__BYTES, NULL },
	{ XP_IO_DEVICE_NS, "io_device_ns", "device time", KVIEW__WIRE__QUANTITY__UNIT__NANOSECONDS, "requests" },
	{ XP_IO_UNTIMED, "io_untimed", "requests without a device time", KVIEW__WIRE__QUANTITY__UNIT__COUNT, "requests" },
};

static const char *const programs[] = { "io_begins", "io_joins_behind", "io_joins_before", "io_is_merged", "io_is_issued", "io_ends", NULL };
/* The tracepoint of merged requests came with Linux 5.11. */
static void io__prepare(struct bpf_object *object)
{
	const char *most = getenv("KVIEW_AGENT_IO_REQUESTS");	/* by which tests fill the map */

	if (most && atoi(most) > 0)
		bpf_map__set_max_entries(bpf_object__find_map_by_name(object, "io_requests"), atoi(most));
	if (libbpf_find_vmlinux_btf_id("block_rq_merge", BPF_TRACE_RAW_TP) < 0)
		bpf_program__set_autoload(bpf_object__find_program_by_name(object, "io_is_merged"), false);
}

static const char *const maps[] = { "io_requests", NULL };

const struct measure io_measure = {
	.number = XP_MEASURE_IO, .name = "io", .capability = "measure-io",
	.does = "Requests to block devices, their bytes and the devices' time are counted within calls of functions of programs.",
	.quantities = quantities, .nr = sizeof(quantities) / sizeof(*quantities), .programs = programs, .maps = maps,
	.others = "To count I/O within calls costs each request to a block device of this host, whoever makes it, some tenths of a µs.",
	.prepare = io__prepare,
};
