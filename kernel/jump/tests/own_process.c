// SPDX-License-Identifier: GPL-2.0
#include "own_process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "place/clock.h"
#include "place/regions.h"

#define CODE_BYTES (16 * JUMP_PAGE)

static void give_up(const char *what, const char *why)
{
	printf("not ok %s: %s\n", what, why);
	exit(1);
}

/* Right to one of ten thousand. */
static uint64_t rate_of_clock(void)
{
	struct clock_pair begin = clock__now(), end;

	usleep(20000);
	end = clock__now();
	return clock__rate(&begin, &end);
}

static void map(struct own_process *own)
{
	const struct target_range *code = NULL;
	size_t shared = shared__bytes(&own->layout);
	struct regions regions;
	uint64_t at;

	for (size_t i = 0; i < own->plans.targets.nr_ranges; i++)
		if (own->plans.targets.ranges[i].kinds)
			code = &own->plans.targets.ranges[i];
	if (regions__read(&regions, getpid()))
		give_up("own process", "its mappings can't be read");
	at = regions__room(&regions, code->start + own->bias, code->end + own->bias,
			   JUMP_CONTROL_BYTES + CODE_BYTES + shared);
	regions__free(&regions);
	own->mapping = mmap((void *)at, JUMP_CONTROL_BYTES + CODE_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (!at || own->mapping != (void *)at ||
	    madvise(own->mapping, JUMP_CONTROL_BYTES, MADV_WIPEONFORK))
		give_up("own process", "no memory near its code");
	own->shared = mmap(own->mapping + JUMP_CONTROL_BYTES + CODE_BYTES, shared, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (own->shared == MAP_FAILED)
		give_up("own process", "no memory near its code");
	shared__init(own->shared, &own->layout, &(struct shared_costs){ .rate = rate_of_clock() });
	memcpy(own->mapping, &own->shared, sizeof(own->shared));
}

static void map_boards(const struct own_process *own)
{
	const struct boards *boards = &own->image.boards;
	struct board_run run;

	for (size_t i = 0; i < boards->nr; i = run.next) {
		void *there;

		run = boards__run(boards, i);
		there = mmap((void *)run.start, run.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		if (there != (void *)run.start)
			give_up("own process", "no memory for springboards");
		image__write_boards(boards, &run, there);
		mprotect(there, run.bytes, PROT_READ | PROT_EXEC);
	}
}

static void add(struct own_process *own, uint32_t function, const char *name)
{
	const struct fn_symbol *symbol = file_plans__function(&own->plans, name, 0);
	static struct code code;
	struct plan plan;

	if (!symbol)
		give_up(name, "no such function");
	file_plans__make(&own->plans, symbol, &code, &plan);
	if (plan.refusal)
		give_up(name, plan.reason);
	if (image__add(&own->image, function, &plan, &code, own->bias))
		give_up(name, "there is no place for its springboards, or its copies are out of reach");
	plan__free(&plan);
	code__free(&code);
}

void own_process__init(struct own_process *own, const char *const *names, uint32_t nr, uint32_t shards,
		       uint32_t sets)
{
	own_process__lay_out(own, names, &(struct shared_layout){ .functions = nr, .shards = shards, .sets = sets });
}

void own_process__lay_out(struct own_process *own, const char *const *names, const struct shared_layout *layout)
{
	uint32_t nr = layout->functions;
	struct error error = { 0 };
	struct board_space space;
	struct regions regions;

	*own = (struct own_process){ .layout = *layout };
	own->memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	if (own->memory < 0 || file_plans__open(&own->plans, "/proc/self/exe", &error))
		give_up("own process", error.message);
	own->bias = getauxval(AT_ENTRY) - own->plans.file.header.e_entry;
	map(own);
	if (image__init(&own->image, (uint64_t)own->mapping, CODE_BYTES))
		give_up("own process", "no memory");
	if (regions__read(&regions, getpid()))
		give_up("own process", "its mappings can't be read");
	board_space__init(&space, &regions);
	own->image.space = &space;
	for (uint32_t i = 0; i < nr; i++)
		add(own, i, names[i]);
	own->image.space = NULL;
	regions__free(&regions);
	map_boards(own);
	memcpy(own->mapping + JUMP_CONTROL_BYTES, own->image.code.bytes, own->image.code.room);
	if (mprotect(own->mapping + JUMP_CONTROL_BYTES, CODE_BYTES, PROT_READ | PROT_EXEC))
		give_up("own process", "its code can't be made executable");
}

int own_process__use_clocks(struct own_process *own, struct error *error)
{
	int users;
	void *there;

	if (thread_clocks__check_processor(error) || thread_clocks__open(&own->clocks, 0, error) ||
	    thread_clocks__watch(&own->clocks, getpid(), &users, error))
		return -1;
	there = mmap(NULL, own->clocks.bytes, PROT_READ, MAP_SHARED, own->clocks.file, 0);
	if (there == MAP_FAILED)
		give_up("own process", "the clocks of threads can't be mapped");
	shared__use_clocks(own->shared, (uint64_t)there, own->clocks.nr);
	return 0;
}

static void write_all(struct own_process *own, bool jumps)
{
	for (size_t i = 0; i < own->image.nr; i++) {
		const struct image_patch *patch = &own->image.patches[i];

		if (pwrite(own->memory, jumps ? patch->is : patch->was, patch->changed, patch->address) != patch->changed)
			give_up("own process", "its code can't be written");
	}
}

void own_process__patch(struct own_process *own)
{
	write_all(own, true);
}

void own_process__restore(struct own_process *own)
{
	write_all(own, false);
}

struct call_counts own_process__counts(const struct own_process *own, uint32_t function)
{
	struct call_counts counts;

	shared__count(own->shared, &own->layout, function, &counts);
	return counts;
}
