/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of the agent itself that do nothing, for probes that measure probes. */
#ifndef KVIEW_CALIBRATION_CODE_H
#define KVIEW_CALIBRATION_CODE_H

#include <linux/types.h>
#include <stdint.h>

#include "mechanism/trap/bpf/xprobe.h"

/*
 * Where a function begins, and its one site: the instruction by which it ends, or the jump
 * that stays inside.  NULL: no such class.
 */
struct calibration_code {
	const char *start, *site;
	/* Of a site that is passed: an instruction that never runs, for the entry. */
	const char *unreached;
};

/*
 * One for each class that the architecture has, by XP_COST_CALL and XP_COST_PASS.  The return
 * probes use functions of their own: a probe's cost depends on what else is on the place.
 */
extern const struct calibration_code calibration_code[XP_COST_CLASSES];
/* The condition of the jump of XP_COST_PASS(XP_EXIT_EMULATED), as in struct fn_site. */
extern const uint8_t calibration_condition;
/* The register of the jump of XP_COST_PASS(XP_EXIT_STEPPED), as in struct fn_site. */
extern const uint8_t calibration_register;

/* For the architectures: such a function of two instructions or so, and where it begins and ends. */
#define CALIBRATION_FUNCTION(name, entry, exit)		\
	asm(".pushsection .text\n"			\
	    ".p2align 6\n"				\
	    #name ":\n" entry "\n"			\
	    #name "_exit:\n" exit "\n"			\
	    ".popsection\n");				\
	extern const char name[], name##_exit[]
#define CALIBRATION_CODE(name)	{ name, name##_exit, NULL }

void calibration_code__call(const char *function, unsigned int times);

/* A function that begins with the nop that a fast probe replaces; NULL where there are no fast probes. */
extern const char *const calibration_nop;
/* The first byte of calibration_nop once a fast probe is on it and was passed. */
extern const uint8_t calibration_nop_replaced;

/* A function whose first instruction is the one of a static probe that always takes a trap. */
extern const char *const calibration_static;

/* Where an address of this program is in its file. */
uint64_t calibration_code__offset(const char *address);

#endif
