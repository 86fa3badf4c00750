/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of a test's own program, to be measured by return addresses that are replaced. */
#ifndef KVIEW_TESTS_OWN_FUNCTIONS_H
#define KVIEW_TESTS_OWN_FUNCTIONS_H

#include <stddef.h>

#include "mechanism/trap/calibration_code.h"
#include "mechanism/trap/xprobe.h"

/* Where they start is added to described, which has their names; their ids are their places in it. */
static inline void own_functions__describe(struct xprobe_function *functions, struct fn_function *described,
					   const char *const *starts, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		described[i].address = calibration_code__offset(starts[i]);
		described[i].file_offset = described[i].entry_offset = described[i].address;
		described[i].exit_kind = FN_EXIT_URETPROBE;
		functions[i] = (struct xprobe_function){ .id = i, .path = "/proc/self/exe", .function = &described[i] };
	}
}

#endif
