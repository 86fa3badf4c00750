// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "mechanism/condition.h"
#include "mechanism/split.h"

static int split__read(const Kview__Wire__Split *message, struct xp_split *split, struct error *error)
{
	Kview__Wire__ConditionTest as_test = KVIEW__WIRE__CONDITION_TEST__INIT;
	struct xp_test test = { 0 };

	as_test.field = message->field;
	as_test.argument = message->argument;
	as_test.bits = message->bits;
	as_test.sign = message->sign;
	as_test.mask = message->mask;
	if (condition__read_value(&as_test, &test, error))
		return -1;
	*split = (struct xp_split){
		.is_there = 1, .value = test.value, .shift = test.shift, .is_signed = test.is_signed, .is_int = test.is_int,
		.mask = test.mask,
	};
	return 0;
}

int splits__read(const Kview__Wire__StartRecordingRequest *request, const char *const *names, struct splits *splits,
		 struct error *error)
{
	size_t i;

	splits->nr_points = request->n_probes;
	for (i = 0; i < request->n_probes; i++) {
		if (!request->probes[i]->split)
			continue;
		if (splits->nr == SPLITS_MOST)
			return error__set(error, ERR_TOO_MANY,
					  "The figures of at most %d functions are split by values in one recording, and %.200s is one more: split fewer.",
					  SPLITS_MOST, names[i]);
		if (!splits->of)
			splits->of = calloc(request->n_probes, sizeof(*splits->of));
		if (!splits->of)
			return error__set(error, ERR_FAILED, "Out of memory.");
		if (split__read(request->probes[i]->split, &splits->of[i], error))
			return -1;
		splits->of[i].table = splits->nr++;
	}
	return 0;
}

void splits__free(struct splits *splits)
{
	free(splits->of);
	*splits = (struct splits){ 0 };
}

uint32_t splits__tables(const struct splits *splits)
{
	return splits->nr ? splits->nr + 1 : 0;
}

uint32_t splits__places(const struct splits *splits)
{
	return splits__tables(splits) * XP_SPLIT_SLOTS;
}

void splits__place(struct splits *splits, uint32_t first)
{
	size_t i;

	for (i = 0; splits->of && i < splits->nr_points; i++)
		splits->of[i].first = first + splits->of[i].table * XP_SPLIT_SLOTS;
}

/* For a name more is done than for a number. */
static struct xp_split splits__dearest(const struct splits *splits)
{
	struct xp_split dearest = { 0 };
	size_t i;

	for (i = 0; i < splits->nr_points; i++)
		if (splits->of[i].is_there && (!dearest.is_there || splits->of[i].value == XP_VALUE_NAME))
			dearest = splits->of[i];
	dearest.first += (splits->nr - dearest.table) * XP_SPLIT_SLOTS;
	dearest.table = splits->nr;
	return dearest;
}

static int split__tell(const struct xp_split *split, uint32_t function, struct bpf_map *map, struct error *error)
{
	return bpf_map__update_elem(map, &function, sizeof(function), split, sizeof(*split), BPF_ANY) ?
		error__set(error, ERR_FAILED, "By what a function's figures are split could not be told to the kernel: %s.", strerror(errno)) : 0;
}

int splits__tell(const struct splits *splits, size_t nr_spare, struct bpf_map *map, struct error *error)
{
	struct xp_split spare;
	size_t i;

	if (!splits->of)
		return 0;
	spare = splits__dearest(splits);
	for (i = 0; i < splits->nr_points + nr_spare; i++)
		if (split__tell(i < splits->nr_points ? &splits->of[i] : &spare, i, map, error))
			return -1;
	return 0;
}

bool splits__has(const struct splits *splits, size_t point)
{
	return splits->of && splits->of[point].is_there;
}

bool splits__reads_argument(const struct splits *splits, size_t point)
{
	return splits__has(splits, point) && splits->of[point].value < XP_VALUE_ARGUMENT + XP_ARGUMENTS;
}
