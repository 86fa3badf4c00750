// SPDX-License-Identifier: GPL-2.0
/* Two threads call the functions of punned.S again and again, and compare; each line of input is answered by how often, and how often it was wrong. */
#include <pthread.h>
#include <stdio.h>

typedef long function(long a, long b);
#define ALL(X) X(p_seven) X(p_five) X(p_four) X(p_three) X(p_two) X(p_one) X(p_condition) X(p_tail) X(p_tight) X(p_behind) X(p_calls) \
	X(p_long) X(p_four_and) X(p_pieces) X(p_nops) X(p_fives) X(p_goes) X(p_goes_far)
#define DECLARE(name) function name;
#define NAME(name) name,
ALL(DECLARE)
static function *const all[] = { ALL(NAME) };

static unsigned long turns[2], wrong[2];

static void *call_all(void *number)
{
	unsigned long *turn = &turns[(long)number], *bad = &wrong[(long)number];

	for (long a = (long)number;; a += 3, __atomic_add_fetch(turn, 1, __ATOMIC_RELAXED))
		for (unsigned int i = 0; i < sizeof(all) / sizeof(*all); i++)
			if (all[i](a, a + i) != 3 * a + a + i + 17)
				__atomic_add_fetch(bad, 1, __ATOMIC_RELAXED);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	char line[80];

	for (long i = 0; i < 2; i++)
		if (pthread_create(&thread, NULL, call_all, (void *)i))
			return 1;
	while (fgets(line, sizeof(line), stdin)) {
		printf("%lu %lu\n", __atomic_load_n(&turns[0], __ATOMIC_RELAXED) + __atomic_load_n(&turns[1], __ATOMIC_RELAXED),
		       __atomic_load_n(&wrong[0], __ATOMIC_RELAXED) + __atomic_load_n(&wrong[1], __ATOMIC_RELAXED));
		fflush(stdout);
	}
	return 0;
}
