/* SPDX-License-Identifier: GPL-2.0 */
/* Static probes (USDT).  The notes are as sys/sdt.h of SystemTap makes them. */
#ifndef TRACED_STATIC_PROBE_H
#define TRACED_STATIC_PROBE_H

#define BASE								\
	".ifndef _.stapsdt.base\n"					\
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"	\
	".weak _.stapsdt.base\n .hidden _.stapsdt.base\n"		\
	"_.stapsdt.base: .space 1\n .size _.stapsdt.base, 1\n"		\
	".popsection\n .endif\n"
#define STATIC_PROBE_AT(instruction, provider, name, counter)		\
	__asm__ volatile("990: " instruction "\n"			\
		".pushsection .note.stapsdt,\"?\",\"note\"\n"		\
		".balign 4\n .4byte 992f-991f, 994f-993f, 3\n"		\
		"991: .asciz \"stapsdt\"\n"				\
		"992: .balign 4\n"					\
		"993: .8byte 990b\n .8byte _.stapsdt.base\n .8byte " counter "\n"	\
		".asciz \"" provider "\"\n .asciz \"" name "\"\n .asciz \"\"\n"	\
		"994: .balign 4\n .popsection\n" BASE : : : "memory")
#define STATIC_PROBE(provider, name, counter)	STATIC_PROBE_AT("nop", provider, name, counter)

#endif
