// SPDX-License-Identifier: GPL-2.0
#include "mechanism/measure/alloc.h"

static const struct quantity quantities[] = {
	{ XP_MINOR_FAULTS, "minor_faults", "minor page faults", KVIEW__WIRE__QUANTITY__UNIT__COUNT, NULL },
	{ XP_MAJOR_FAULTS, "major_faults", "major page faults", KVIEW__WIRE__QUANTITY__UNIT__COUNT, NULL },
};

const struct measure alloc_measure = {
	.number = XP_MEASURE_ALLOC, .name = "alloc", .capability = "measure-alloc",
	.does = "Page faults are counted within calls of functions of programs.",
	.quantities = quantities, .nr = sizeof(quantities) / sizeof(*quantities),
};
