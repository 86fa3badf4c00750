/* SPDX-License-Identifier: GPL-2.0 */
/* A function for a test to measure in itself, described by hand: two instructions, and its return. */
#ifndef KVIEW_TESTS_CALLED_H
#define KVIEW_TESTS_CALLED_H

#include "mechanism/trap/calibration_code.h"
#include "mechanism/trap/xprobe.h"

void t_called(void);
extern const char t_called_ret[];
__asm__(".text\n.globl t_called, t_called_ret\nt_called: push %rbp\n pop %rbp\nt_called_ret: ret\n");

/* Of the test's own program, at that path. */
static struct xprobe_function called__in(const char *path)
{
	static struct fn_site site;
	static struct fn_function described;
	uint64_t begin = calibration_code__offset((const void *)t_called);

	site = (struct fn_site){
		.address = calibration_code__offset(t_called_ret),
		.file_offset = calibration_code__offset(t_called_ret), .kind = FN_SITE_RET,
		.goes_on = -1, .cost = FN_INSN_SINGLE_STEPPED,
	};
	described = (struct fn_function){
		.name = "t_called", .address = begin, .entry_offset = begin, .file_offset = begin,
		.exit_kind = FN_EXIT_SITES, .entry_cost = FN_INSN_EMULATED, .sites = &site, .nr_sites = 1,
	};
	return (struct xprobe_function){ .path = path, .function = &described };
}

#endif
