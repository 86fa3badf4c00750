// SPDX-License-Identifier: GPL-2.0
// Functions that are part of their callers alone: of C, of a class, of a template.

extern "C" {
volatile int sink;

static inline __attribute__((always_inline)) int inlined_one(int x)
{
	sink = x;
	return sink * 3;
}

__attribute__((noinline)) int caller_a(int x) { return inlined_one(x) + inlined_one(x + 1); }
__attribute__((noinline)) int caller_b(int x) { return inlined_one(x) ^ 5; }
}

// A function of its own as well, for who knows it by its address alone.
static inline int inlined_at_times(int x)
{
	sink = x;
	return sink + 7;
}

int (*volatile by_address)(int) = inlined_at_times;

__attribute__((noinline)) static int caller_c(int x) { return inlined_at_times(x) + inlined_at_times(x + 2); }

namespace shop {
struct Basket {
	int n;
	__attribute__((always_inline)) int price(int x) const { sink = x; return n * sink; }
};

template <class T> __attribute__((always_inline)) inline T twice(T t) { sink = t; return sink * 2; }

__attribute__((noinline)) int total(const Basket &basket, int x) { return basket.price(x) + twice(x); }
}

int main(int argc, char **)
{
	shop::Basket basket{argc};

	return by_address(argc) + caller_c(argc) + caller_a(argc) + caller_b(argc) + shop::total(basket, argc) == 0;
}
