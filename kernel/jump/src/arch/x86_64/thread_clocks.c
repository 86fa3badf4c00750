// SPDX-License-Identifier: GPL-2.0
#include "threads/clocks.h"

#include <cpuid.h>
#include <stdbool.h>
#include <sys/auxv.h>

#define HWCAP2_FSGSBASE 2

int thread_clocks__check_processor(struct error *error)
{
	unsigned int a, b, c, d;
	bool has_rdpid = __get_cpuid_count(7, 0, &a, &b, &c, &d) && c & 1u << 22;

	if (!has_rdpid || !(getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE))
		return error__set(error, ERR_UNSUPPORTED,
				  "The processor does not have the instruction rdpid, or the kernel does not allow rdfsbase.");
	return 0;
}

uint64_t thread_clocks__own_base(void)
{
	uint64_t base;

	__asm__("rdfsbase %0" : "=r"(base));
	return base;
}
