// SPDX-License-Identifier: GPL-2.0
/*
 * An entry that the kernel simulates (a branch) or single-steps (mov).  Every exit is a
 * branch, and those are simulated: there is no exit that is stepped.
 */
#include "../../calibration_code.h"

#include <stddef.h>

#define FUNCTION(name, entry, exit)			\
	asm(".pushsection .text\n"			\
	    ".p2align 6\n"				\
	    #name ":\n" entry "\n"			\
	    #name "_exit:\n" exit "\n"			\
	    ".popsection\n");				\
	extern const char name[], name##_exit[]

#define EMULATED_ENTRY	"b . + 4"
#define STEPPED_ENTRY	"mov x0, sp"

FUNCTION(cal_emulated_uret, EMULATED_ENTRY, "ret");
FUNCTION(cal_emulated_ret, EMULATED_ENTRY, "ret");
FUNCTION(cal_stepped_uret, STEPPED_ENTRY, "ret");
FUNCTION(cal_stepped_ret, STEPPED_ENTRY, "ret");

#define CODE(name)	{ name, name##_exit }
const struct calibration_code calibration_code[XP_ENTRY_CLASSES][XP_EXIT_CLASSES] = {
	{ CODE(cal_emulated_uret), CODE(cal_emulated_ret), { NULL, NULL } },
	{ CODE(cal_stepped_uret), CODE(cal_stepped_ret), { NULL, NULL } },
};

const char *const calibration_nop;
const uint8_t calibration_nop_replaced;

void calibration_code__call(const char *function, unsigned int times)
{
	while (times--)
		asm volatile("blr %0" : : "r"(function) : "x0", "x30", "memory", "cc");
}
