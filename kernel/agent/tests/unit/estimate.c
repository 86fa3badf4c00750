// SPDX-License-Identifier: GPL-2.0
/* What is made of rounds that a neighbour disturbs. */
#include <stdio.h>

#include "mechanism/trap/estimate.h"

static struct estimate of(size_t nr, const double *rounds)
{
	struct estimate estimate = { .nr = 0 };
	size_t i;

	for (i = 0; i < nr; i++)
		estimate__add(&estimate, rounds[i]);
	return estimate;
}

static void check(const char *name, const struct estimate *e, bool settled, double low, double high)
{
	double value = estimate__value(e);

	printf("%s %s: %s at %.0f ns\n", estimate__settled(e) == settled && value >= low &&
	       value <= high ? "ok" : "not ok", name,
	       estimate__settled(e) ? "settled" : "not settled", value);
}

/* How wrong the value may be: what agrees, or all where too little does. */
static void check_error(const char *name, const struct estimate *e, double expected)
{
	double error = estimate__error(e);

	printf("%s %s may be wrong by %.0f ns\n", error == expected ? "ok" : "not ok", name, error);
}

#define ERROR(name, expected, ...) do {							\
	const double rounds[] = { __VA_ARGS__ };					\
	const struct estimate e = of(sizeof(rounds) / sizeof(*rounds), rounds);		\
	check_error(name, &e, expected);						\
} while (0)

#define CHECK(name, settled, low, high, ...) do {					\
	const double rounds[] = { __VA_ARGS__ };					\
	const struct estimate e = of(sizeof(rounds) / sizeof(*rounds), rounds);		\
	check(name, &e, settled, low, high);						\
} while (0)

int main(void)
{
	struct estimate many = { .nr = 0 };
	int i;

	CHECK("a machine at rest", true, 1040, 1050, 1043, 1050, 1047, 1039, 1044);
	CHECK("two rounds alone say nothing", false, 1040, 1050, 1043, 1043);
	CHECK("one neighbour's moment", true, 1040, 1050, 1043, 2600, 1047, 1039, 1044, 1043);
	CHECK("disturbed for longer than not", false, 1030, 1050, 1800, 1750, 1043, 1900, 1040, 1770,
	      1850);
	CHECK("it became quiet", true, 1030, 1050, 1800, 1750, 1900, 1043, 1040, 1041, 1042, 1043);
	CHECK("drifting", false, 1000, 1100, 1000, 1150, 1300, 1450, 1600, 1750);
	CHECK("stepped ones differ by more", true, 10000, 10500, 10000, 10300, 10500, 10100, 10050);
	CHECK("no rounds", false, 0, 0);
	ERROR("a machine at rest", 11, 1043, 1050, 1047, 1039, 1044);
	ERROR("one neighbour's moment", 11, 1043, 1050, 2600, 1047, 1039, 1044, 1043);
	ERROR("what did not settle", 860, 1800, 1750, 1043, 1900, 1040, 1770, 1850);
	ERROR("nothing", 0);
	for (i = 0; i < 1000; i++)
		estimate__add(&many, i % 2 ? 500 : 1500);
	check("more rounds than there is room for", &many, false, 500, 500);
	return 0;
}
