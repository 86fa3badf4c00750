/* SPDX-License-Identifier: GPL-2.0 */
/* How functions are written down of which decide_test.py says what is decided. */
#ifndef KVIEW_JUMP_SHAPES_H
#define KVIEW_JUMP_SHAPES_H

#define NEXT(name) .globl name; .hidden name; .type name, @function; name:
#define FUNCTION(name) .balign 64, 0xcc; NEXT(name)
#define END(name) .size name, . - name

#endif
