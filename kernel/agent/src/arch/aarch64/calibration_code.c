// SPDX-License-Identifier: GPL-2.0
/*
 * Functions whose entry the kernel simulates (a branch) or single-steps (mov).  Every exit is a
 * branch, which is simulated: there is no exit that is single-stepped.
 */
#include "mechanism/trap/calibration_code.h"

#include <stddef.h>

#define EMULATED_ENTRY	"b . + 4"
#define STEPPED_ENTRY	"mov x0, sp"

CALIBRATION_FUNCTION(cal_emulated_uret, EMULATED_ENTRY, "ret");
CALIBRATION_FUNCTION(cal_emulated_ret, EMULATED_ENTRY, "ret");
CALIBRATION_FUNCTION(cal_stepped_uret, STEPPED_ENTRY, "ret");
CALIBRATION_FUNCTION(cal_stepped_ret, STEPPED_ENTRY, "ret");

/* "b.eq" while the flags say "not equal", so that it is not taken. */
asm(".pushsection .text\n"
    ".p2align 6\n"
    "cal_pass_emulated:\n cmp sp, #0\n"
    "cal_pass_emulated_site:\n b.eq 1f\n"
    "1: ret\n"
    "cal_pass_emulated_unreached:\n ret\n"
    ".popsection\n");
extern const char cal_pass_emulated[], cal_pass_emulated_site[], cal_pass_emulated_unreached[];
const uint8_t calibration_condition;
const uint8_t calibration_register;

const struct calibration_code calibration_code[XP_COST_CLASSES] = {
	[XP_COST_CALL(XP_ENTRY_EMULATED, XP_EXIT_URETPROBE)] = CALIBRATION_CODE(cal_emulated_uret),
	[XP_COST_CALL(XP_ENTRY_EMULATED, XP_EXIT_EMULATED)] = CALIBRATION_CODE(cal_emulated_ret),
	[XP_COST_CALL(XP_ENTRY_STEPPED, XP_EXIT_URETPROBE)] = CALIBRATION_CODE(cal_stepped_uret),
	[XP_COST_CALL(XP_ENTRY_STEPPED, XP_EXIT_EMULATED)] = CALIBRATION_CODE(cal_stepped_ret),
	[XP_COST_PASS(XP_EXIT_EMULATED)] = {
		cal_pass_emulated, cal_pass_emulated_site, cal_pass_emulated_unreached },
};

const char *const calibration_nop;
const uint8_t calibration_nop_replaced;

asm(".pushsection .text\n.p2align 6\ncal_static:\n nop\n ret\n.popsection\n");
extern const char cal_static[];
const char *const calibration_static = cal_static;

void calibration_code__call(const char *function, unsigned int times)
{
	while (times--)
		asm volatile("blr %0" : : "r"(function) : "x0", "x30", "memory", "cc");
}
