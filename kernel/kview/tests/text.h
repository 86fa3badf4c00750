/* SPDX-License-Identifier: GPL-2.0 */
/* The base's kernel text, as a process in no view reads it, and places in it. */
#ifndef KVIEW_TEST_TEXT_H
#define KVIEW_TEST_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A copy of all kernel text; free(). */
struct text {
	unsigned long start;
	size_t size;
	uint8_t byte[];
};

struct text *text_read(void);
/* Anything of the kernel image. */
void kernel_read(unsigned long start, void *to, size_t size);
/*
 * How many bytes differ, but for those that the kernel has changed for its own clock.  @what: where the
 * first ones are, what is there in both, and for what the kernel itself changes that place, if it does.
 */
size_t text_differs(const struct text *a, const struct text *b, char *what, size_t size);
/* It is as it was, once all have taken back what they did: some keys are switched off a second later. */
void text_check(const struct text *before);

/* A place, and how kprobe_events names it. */
struct place {
	unsigned long addr;
	char name[160];			/* FUNCTION+OFFSET */
};

/* The instruction that loads the tracepoint's probes before its call, the first of them. */
bool text_find_load(const struct text *t, const char *tracepoint, struct place *place);
/* An instruction boundary just before @at, at most @reach bytes: decided by kprobes. */
bool text_probe_before(const struct place *at, unsigned int reach, struct place *place);

/* What is left for the optimiser of kprobes to take back is gone when this returns. */
void kprobes_settled(void);
/* Is there an optimised kprobe at the address?  Waits for up to @ms for one. */
bool kprobe_optimised(unsigned long addr, unsigned int ms);

#endif /* KVIEW_TEST_TEXT_H */
