// SPDX-License-Identifier: GPL-2.0
#include <csetjmp>

#include "stamped.h"

#define MEASURED __attribute__((noinline, noclone))

void (*volatile yield_now)(void);
static thread_local jmp_buf back;

extern "C" {

MEASURED long m_leaf(long x)
{
	return x * 7 + 1;
}

MEASURED long m_tail(long x)
{
	return m_leaf(x ^ 0x1234567);
}

MEASURED long m_switch(long x)
{
	switch (x % 7) {
	case 0: return x + 1;
	case 1: return m_leaf(x) + 5;
	case 2: return x * x;
	case 3: return x - 100;
	case 4: return x << 3;
	case 5: return x / 3;
	default: return -x;
	}
}

MEASURED long m_deep(long depth)
{
	volatile long kept = depth;

	return depth ? m_deep(depth - 1) + kept : 0;
}

MEASURED long m_throws(long x)
{
	if (x % 3 == 0)
		throw x;
	return x + 3;
}

MEASURED long m_catches(long x)
{
	volatile long kept = x;		/* so that no call stands in the entry's window */

	try {
		return m_throws(kept) + 1;
	} catch (long thrown) {
		return thrown - 1;
	}
}

MEASURED long m_leaves(long x)
{
	if (x % 3 == 0)
		longjmp(back, 1);
	return x + 5;
}

MEASURED long m_returns_twice(long x)
{
	volatile long kept = x;

	if (setjmp(back))
		return -1;
	return m_leaves(kept) + 1;
}

MEASURED long m_waits(long turns)
{
	volatile long turn = 0;

	while (turn < turns)
		turn = turn + 1;
	return turn;
}

MEASURED long m_yields(long x)
{
	volatile long kept = x;

	yield_now();
	return kept + 9;
}

}
