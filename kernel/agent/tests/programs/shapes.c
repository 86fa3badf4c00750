// SPDX-License-Identifier: GPL-2.0
/* Functions whose ends are not plain: compiled in several ways. */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __clang__
#define KEPT __attribute__((noinline, used))
#else
#define KEPT __attribute__((noipa, used))
#endif

volatile int sink;
static jmp_buf back;

KEPT int one_return(int x)
{
	return x * 3 + 1;
}

KEPT int many_returns(int x)
{
	if (x == 1)
		return one_return(x) + 2;
	if (x == 2)
		return one_return(x + 5) + 7;
	for (int i = 0; i < x; i++)
		if (one_return(i) == 40)
			return -1;
	return x;
}

KEPT int tail_call(int x)
{
	sink = x;
	return one_return(x + 1);
}

KEPT int maybe_tail_call(int x)
{
	if (x & 1)
		return tail_call(x);
	sink += x;
	return x / 3;
}

int (*volatile pointer)(int) = one_return;

KEPT int pointer_tail_call(int x)
{
	sink = x;
	return pointer(x);
}

KEPT int member_tail_call(int (**table)(int), int x)
{
	sink = x;
	return table[1](x);
}

static int (*const handlers[])(int) = { one_return, many_returns, tail_call, maybe_tail_call };

KEPT int handler_tail_call(int which, int x)
{
	return handlers[which & 3](x);
}

KEPT int jump_table(int x, int y)
{
	switch (x) {
	case 0: return one_return(y) + 1;
	case 1: sink = 3; return y * 5;
	case 2: return many_returns(y) - 1;
	case 3: sink = y; return y ^ 0x55;
	case 4: return y / 7;
	case 5: puts("five"); return 9;
	case 6: return tail_call(y) * y;
	case 7: return y << 3;
	default: return x;
	}
}

/* A switch whose cases end in tail calls. */
KEPT int jump_table_to_calls(int x, int y)
{
	switch (x) {
	case 0: return one_return(y);
	case 1: return many_returns(y);
	case 2: return tail_call(y + 1);
	case 3: return maybe_tail_call(y + 2);
	case 4: return one_return(y + 3);
	case 5: return many_returns(y ^ 1);
	default: return 0;
	}
}

KEPT int interpreter(const unsigned char *code)
{
	static void *const labels[] = { &&add, &&twice, &&swap, &&minus, &&end };
	int x = 1, y = 0, turns = 0;

#define NEXT goto *labels[*code++]
	NEXT;
add:	x += ++turns; NEXT;
twice:	x *= 2; NEXT;
swap:	turns ^= x; y = x - y; NEXT;
minus:	x -= y; NEXT;
end:	return x + turns;
}

KEPT __attribute__((cold)) void complain(const char *why)
{
	sink++;
	if (sink == 12345)
		puts(why);
}

/* Its unlikely half moves to cold_half.cold. */
KEPT int cold_half(int x)
{
	if (__builtin_expect(x > 1000, 0)) {
		complain("large");
		sink = x;
		complain("very");
		return many_returns(x & 7) - 3;
	}
	if (__builtin_expect(x < -1000, 0)) {
		complain("small");
		abort();
	}
	return one_return(x);
}

KEPT int recursion(int n)
{
	return n < 2 ? n : recursion(n - 1) + recursion(n - 2);
}

KEPT void never_returns(int x)
{
	sink = x;
	_exit(x);
}

KEPT int jumps_back(int x)
{
	if (x > 2)
		longjmp(back, x);
	return x;
}

KEPT int calls_setjmp(int x)
{
	int got = setjmp(back);

	return got ? got : jumps_back(x);
}

KEPT int spins(const char *text)
{
	int n = 0;

	while (*text++)
		n++;
	return n;
}

static int chosen(int x) { return x + 11; }
__attribute__((used)) static int (*choose(void))(int) { return chosen; }
int chosen_at_load(int x) __attribute__((ifunc("choose")));

int shape_of_alias(int x) __attribute__((alias("one_return")));
int sh(int x) __attribute__((alias("tail_call")));

int main(int argc, char **argv)
{
	static const unsigned char program[] = { 0, 1, 2, 3, 0, 1, 4 };
	static int (*table[])(int) = { many_returns, one_return };
	int rounds = argc > 1 ? atoi(argv[1]) : 3, total = 0;

	for (int i = 0; i < rounds; i++) {
		for (int x = 0; x < 16; x++) {
			total += one_return(x) + many_returns(x) + tail_call(x) + maybe_tail_call(x);
			total += pointer_tail_call(x) + member_tail_call(table, x);
			total += handler_tail_call(x, x) + jump_table(x == 5 ? 1 : x, x);
			total += jump_table_to_calls(x, x) + cold_half(x) + chosen_at_load(x);
			total += calls_setjmp(x & 3);
		}
		total += interpreter(program) + cold_half(2000) + recursion(6) + spins("kview");
	}
	if (argc > 2)
		never_returns(total & 1);
	printf("%d\n", total);
	return 0;
}
