// SPDX-License-Identifier: GPL-2.0
/*
 * An entry that the kernel emulates (push) or single-steps (mov), an exit by a return,
 * which is stepped, or by a jump, which is emulated.
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

#define EMULATED_ENTRY	"push %rbp\n pop %rbp"
#define STEPPED_ENTRY	"mov %rsp, %rax"

asm(".pushsection .text\n.p2align 6\ncal_nop:\n .byte 0x0f, 0x1f, 0x44, 0, 0\n ret\n.popsection\n");
extern const char cal_nop[];
asm(".pushsection .text\n.p2align 6\ncal_tail:\n ret\n.popsection\n");
FUNCTION(cal_emulated_uret, EMULATED_ENTRY, "ret");
FUNCTION(cal_emulated_jump, EMULATED_ENTRY, "jmp cal_tail");
FUNCTION(cal_emulated_ret, EMULATED_ENTRY, "ret");
FUNCTION(cal_stepped_uret, STEPPED_ENTRY, "ret");
FUNCTION(cal_stepped_jump, STEPPED_ENTRY, "jmp cal_tail");
FUNCTION(cal_stepped_ret, STEPPED_ENTRY, "ret");

#define CODE(name)	{ name, name##_exit }
const struct calibration_code calibration_code[XP_ENTRY_CLASSES][XP_EXIT_CLASSES] = {
	{ CODE(cal_emulated_uret), CODE(cal_emulated_jump), CODE(cal_emulated_ret) },
	{ CODE(cal_stepped_uret), CODE(cal_stepped_jump), CODE(cal_stepped_ret) },
};

const char *const calibration_nop = cal_nop;
const uint8_t calibration_nop_replaced = 0xe8;

void calibration_code__call(const char *function, unsigned int times)
{
	while (times--)
		asm volatile("call *%0" : : "r"(function) : "rax", "memory", "cc");
}
