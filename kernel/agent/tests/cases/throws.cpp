// SPDX-License-Identifier: GPL-2.0
/* Exceptions through a probed function, to be started by a shell script that becomes it. */
#include "throwing.h"

static int inner(int x) { return throw_if_odd(x); }

int main()
{
	printf("caught %d of 100\n", catch_all(100, inner));
	tell("f_through.returned", 50);
	tell("f_through.left", 50);
	return 3;
}
