/* SPDX-License-Identifier: GPL-2.0 */
/* All functions of the kernel that a flow may hook. */
#ifndef KVIEW_FLOW_FUNCTIONS_H
#define KVIEW_FLOW_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "lookup/kernel_names.h"

struct flow_functions {
	struct kernel_names names;
	/* Ascending, each once; by number, what they are called. */
	uint64_t *addresses;
	const char **symbols;
	size_t nr;
	/* The kernel says so many of its image can be traced.  0: it does not tell which. */
	size_t traceable;
	size_t left_out;	/* of them, as the agent's own programs call them, or as they end elsewhere than they began */
};

/* Returns 0, or -1 with error filled.  To be freed in any case. */
int flow_functions__read(struct flow_functions *functions, struct error *error);
void flow_functions__free(struct flow_functions *functions);

#define FLOW_NO_FUNCTION SIZE_MAX
/* The number of this one, whatever ending compilers gave it ("finish_task_switch.isra.0"); FLOW_NO_FUNCTION: there is none. */
size_t flow_functions__find(const struct flow_functions *functions, const char *name);
/* Of a system call, by the name that flow_root__symbol tells; from now on it is called that. */
size_t flow_functions__find_root(struct flow_functions *functions, const char *name);

/* What the kernel calls the function of this system call, such as "__x64_sys_newstat" of stat.  Returns symbol. */
char *flow_root__symbol(const char *system_call, char *symbol, size_t size);

#endif
