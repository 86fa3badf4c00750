// SPDX-License-Identifier: GPL-2.0
/* A second function of the same name. */
#include <linux/compiler.h>

#include "victim.h"

static noinline __noclone int kview_victim_twice(int n)
{
	asm volatile("" : "+r" (n));
	return n;
}

int kview_victim_twin(int n)
{
	return kview_victim_twice(n);
}
