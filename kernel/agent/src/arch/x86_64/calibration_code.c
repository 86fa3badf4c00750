// SPDX-License-Identifier: GPL-2.0
/*
 * Functions whose entry the kernel emulates (push) or single-steps (mov), and whose exit is a
 * return, which is single-stepped, or a jump, which is emulated.
 */
#include "mechanism/trap/calibration_code.h"

#include <stddef.h>

#define EMULATED_ENTRY	"push %rbp\n pop %rbp"
#define STEPPED_ENTRY	"mov %rsp, %rax"

asm(".pushsection .text\n.p2align 6\ncal_nop:\n .byte 0x0f, 0x1f, 0x44, 0, 0\n ret\n.popsection\n");
extern const char cal_nop[];
asm(".pushsection .text\n.p2align 6\ncal_static:\n nop\n ret\n.popsection\n");
extern const char cal_static[];
asm(".pushsection .text\n.p2align 6\ncal_tail:\n ret\n.popsection\n");
CALIBRATION_FUNCTION(cal_emulated_uret, EMULATED_ENTRY, "ret");
CALIBRATION_FUNCTION(cal_emulated_jump, EMULATED_ENTRY, "jmp cal_tail");
CALIBRATION_FUNCTION(cal_emulated_ret, EMULATED_ENTRY, "ret");
CALIBRATION_FUNCTION(cal_stepped_uret, STEPPED_ENTRY, "ret");
CALIBRATION_FUNCTION(cal_stepped_jump, STEPPED_ENTRY, "jmp cal_tail");
CALIBRATION_FUNCTION(cal_stepped_ret, STEPPED_ENTRY, "ret");

/* "je" while the flags say "not equal", and a jump through a register to the next instruction. */
asm(".pushsection .text\n"
    ".p2align 6\n"
    "cal_pass_emulated:\n or $1, %eax\n"
    "cal_pass_emulated_site:\n je cal_tail\n ret\n"
    "cal_pass_emulated_unreached:\n ret\n"
    ".p2align 6\n"
    "cal_pass_stepped:\n lea 1f(%rip), %rax\n"
    "cal_pass_stepped_site:\n jmp *%rax\n"
    "1: ret\n"
    "cal_pass_stepped_unreached:\n ret\n"
    ".popsection\n");
extern const char cal_pass_emulated[], cal_pass_emulated_site[], cal_pass_emulated_unreached[];
extern const char cal_pass_stepped[], cal_pass_stepped_site[], cal_pass_stepped_unreached[];
const uint8_t calibration_condition = 4;
const uint8_t calibration_register;

#define PASS(name)	{ name, name##_site, name##_unreached }
const struct calibration_code calibration_code[XP_COST_CLASSES] = {
	[XP_COST_CALL(XP_ENTRY_EMULATED, XP_EXIT_URETPROBE)] = CALIBRATION_CODE(cal_emulated_uret),
	[XP_COST_CALL(XP_ENTRY_EMULATED, XP_EXIT_EMULATED)] = CALIBRATION_CODE(cal_emulated_jump),
	[XP_COST_CALL(XP_ENTRY_EMULATED, XP_EXIT_STEPPED)] = CALIBRATION_CODE(cal_emulated_ret),
	[XP_COST_CALL(XP_ENTRY_STEPPED, XP_EXIT_URETPROBE)] = CALIBRATION_CODE(cal_stepped_uret),
	[XP_COST_CALL(XP_ENTRY_STEPPED, XP_EXIT_EMULATED)] = CALIBRATION_CODE(cal_stepped_jump),
	[XP_COST_CALL(XP_ENTRY_STEPPED, XP_EXIT_STEPPED)] = CALIBRATION_CODE(cal_stepped_ret),
	[XP_COST_PASS(XP_EXIT_EMULATED)] = PASS(cal_pass_emulated),
	[XP_COST_PASS(XP_EXIT_STEPPED)] = PASS(cal_pass_stepped),
};

const char *const calibration_nop = cal_nop;
const uint8_t calibration_nop_replaced = 0xe8;
const char *const calibration_static = cal_static;

void calibration_code__call(const char *function, unsigned int times)
{
	while (times--)
		asm volatile("call *%0" : : "r"(function) : "rax", "memory", "cc");
}
