/* SPDX-License-Identifier: GPL-2.0 */
/* Names of the kernel's functions, where the kernel shows them to the agent's caller. */
#ifndef KVIEW_KERNEL_NAMES_H
#define KVIEW_KERNEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_name {
	uint64_t address;
	const char *name;
};

struct kernel_names {
	char *text;
	struct kernel_name *all;	/* ascending */
	size_t nr;
};

/* Whether there are any to be read. */
bool kernel_names__are_shown(void);
/* Has none where they are not shown, or without memory. */
void kernel_names__read(struct kernel_names *names);
void kernel_names__free(struct kernel_names *names);
/* NULL: not known. */
const struct kernel_name *kernel_names__at(const struct kernel_names *names, uint64_t address);

#endif
