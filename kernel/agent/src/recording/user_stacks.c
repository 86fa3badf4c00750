// SPDX-License-Identifier: GPL-2.0
#include "recording/user_stacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>

#include "base/loop.h"
#include "base/text.h"
#include "lookup/names.h"
#include "stacks/unwind.h"

/* A power of two, and at most half of it is used. */
#define SLOTS		(4 * XP_USER_STACKS)
#define MOST_FUNCTIONS	64
/* Longer names, as of C++, are cut: all of them together are told again and again. */
#define NAME_BYTES	512
/* Of CPU time, for a round and for all of them: the agent does nothing else meanwhile.  What is not unwound by then is told as not known. */
#define MOST_NS		50000000ULL
#define MOST_IN_ALL_NS	(40 * MOST_NS)

struct slot {
	uint64_t number, first;		/* first: of those that have the same functions; XP_STACK_UNKNOWN: it was not unwound */
	uint64_t hash;			/* of its functions */
	unsigned int locks;		/* bits by enum xp_holder: for which it waits */
	struct user_stack stack;	/* functions only of a first one */
};

struct user_stacks {
	struct stack_code *code;	/* NULL: its files can't be read */
	struct slot **slots;		/* [SLOTS]; NULL: free */
	struct stack_frame frames[MOST_FUNCTIONS];
	struct xp_user_stack copy;
	uint64_t until_ns, took_ns;	/* of the thread's CPU time */
	size_t nr;
	unsigned int looks;
};

/* In which threads wait for a lock of the C library; its own names for them have underscores in front. */
static const struct {
	const char *function;
	unsigned int locks;
} waits_for_locks[] = {
	{ "pthread_mutex_lock", 1U << XP_HOLDER_MUTEX },
	{ "pthread_mutex_timedlock", 1U << XP_HOLDER_MUTEX },
	{ "pthread_mutex_clocklock", 1U << XP_HOLDER_MUTEX },
	/* Both go on there by a jump; only symbols for debugging have that name. */
	{ "pthread_mutex_clocklock_common", 1U << XP_HOLDER_MUTEX },
	/* They take the mutex again. */
	{ "pthread_cond_wait", 1U << XP_HOLDER_MUTEX },
	{ "pthread_cond_timedwait", 1U << XP_HOLDER_MUTEX },
	{ "pthread_cond_clockwait", 1U << XP_HOLDER_MUTEX },
	{ "pthread_rwlock_rdlock", 1U << XP_HOLDER_RWLOCK },
	{ "pthread_rwlock_timedrdlock", 1U << XP_HOLDER_RWLOCK },
	{ "pthread_rwlock_clockrdlock", 1U << XP_HOLDER_RWLOCK },
	{ "pthread_rwlock_wrlock", 1U << XP_HOLDER_RWLOCK },
	{ "pthread_rwlock_timedwrlock", 1U << XP_HOLDER_RWLOCK },
	{ "pthread_rwlock_clockwrlock", 1U << XP_HOLDER_RWLOCK },
};

struct user_stacks *user_stacks__new(pid_t pid)
{
	struct user_stacks *stacks = calloc(1, sizeof(*stacks));
	struct error ignored = { 0 };

	if (!stacks)
		return NULL;
	stacks->slots = calloc(SLOTS, sizeof(*stacks->slots));
	if (!stacks->slots) {
		free(stacks);
		return NULL;
	}
	stacks->code = stack_code__new(pid, &ignored);
	error__free(&ignored);
	return stacks;
}

static void stack__free(struct user_stack *stack)
{
	size_t i;

	for (i = 0; i < stack->message.n_functions; i++)
		free(stack->message.functions[i]);
	free(stack->message.functions);
	stack->message.functions = NULL;
	stack->message.n_functions = 0;
}

void user_stacks__free(struct user_stacks *stacks)
{
	size_t i;

	if (!stacks)
		return;
	for (i = 0; i < SLOTS; i++) {
		if (stacks->slots[i])
			stack__free(&stacks->slots[i]->stack);
		free(stacks->slots[i]);
	}
	free(stacks->slots);
	stack_code__free(stacks->code);
	free(stacks);
}

/* The place of the narrowest gap between two pieces. */
static size_t narrowest(const struct mapped_code *pieces, size_t nr)
{
	size_t i, found = 1;

	for (i = 2; i < nr; i++)
		if (pieces[i].start - pieces[i - 1].end < pieces[found].start - pieces[found - 1].end)
			found = i;
	return found;
}

void user_stacks__tell_code(const struct user_stacks *stacks, int code_fd)
{
	const struct process_files *maps = stacks->code ? stack_code__maps(stacks->code) : NULL;
	struct mapped_code *pieces;
	struct xp_code code;
	uint32_t zero = 0;
	size_t nr, i;

	if (!maps || !maps->nr_code)
		return;
	pieces = malloc(maps->nr_code * sizeof(*pieces));
	if (!pieces)
		return;
	memcpy(pieces, maps->code, maps->nr_code * sizeof(*pieces));
	for (nr = maps->nr_code; nr > XP_CODE_PIECES; nr--) {
		i = narrowest(pieces, nr);
		pieces[i - 1].end = pieces[i].end;
		memmove(&pieces[i], &pieces[i + 1], (nr - i - 1) * sizeof(*pieces));
	}
	memset(&code, 0xff, sizeof(code));
	for (i = 0; i < nr; i++) {
		code.starts[i] = pieces[i].start;
		code.ends[i] = pieces[i].end;
	}
	code.end = pieces[nr - 1].end;
	free(pieces);
	bpf_map_update_elem(code_fd, &zero, &code, BPF_ANY);
}

bool user_stacks__begin(struct user_stacks *stacks)
{
	stacks->until_ns = clock__cpu_ns() + (stacks->took_ns < MOST_IN_ALL_NS ? MOST_NS : 0);
	return stacks->code && stack_code__follow(stacks->code);
}

static char *frame__name(struct user_stacks *stacks, const struct stack_frame *frame)
{
	char text[NAME_BYTES], *demangled;
	const char *symbol;
	uint64_t start;

	if (!frame->is_known)
		return strdup("");
	symbol = stack_code__symbol(stacks->code, &frame->place, &start);
	if (symbol) {
		/* Its version says nothing here. */
		demangled = name__demangle(symbol, false);
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(demangled ? demangled : symbol, "@"), demangled ? demangled : symbol);
		free(demangled);
	} else {
		snprintf(text, sizeof(text), "%.255s+0x%" PRIx64, base_name(stack_code__file(stacks->code, frame->place.file)->path), start);
	}
	return name__printable(text);
}

static bool is_of_c_library(struct user_stacks *stacks, const struct stack_frame *frame)
{
	const char *name = frame->is_known ? base_name(stack_code__file(stacks->code, frame->place.file)->path) : "";

	return !strncmp(name, "libc.so", 7) || !strncmp(name, "libc-2", 6) || !strncmp(name, "libpthread", 10);
}

/* What the functions at the innermost end of a stack say. */
static unsigned int locks__of(struct user_stacks *stacks, const Kview__Wire__UserStack *message)
{
	unsigned int locks = 0;
	const char *name;
	size_t at, i;

	if (message->n_functions && is_of_c_library(stacks, &stacks->frames[0]))
		locks |= 1U << XP_HOLDER_ROBUST;
	/* In the one itself, in what it waits in, and that may wait in another one again. */
	for (at = 0; at < 3 && at < message->n_functions && is_of_c_library(stacks, &stacks->frames[at]); at++) {
		name = message->functions[at];
		name += strspn(name, "_");
		for (i = 0; i < sizeof(waits_for_locks) / sizeof(*waits_for_locks); i++)
			if (!strcmp(name, waits_for_locks[i].function))
				locks |= waits_for_locks[i].locks;
	}
	return locks;
}

static uint64_t hash_of(const Kview__Wire__UserStack *message)
{
	uint64_t hash = 0xcbf29ce484222325ull + message->is_whole;
	const char *at;
	size_t i;

	for (i = 0; i < message->n_functions; i++)
		for (at = message->functions[i]; ; at++) {
			hash = (hash ^ (uint8_t)*at) * 0x100000001b3ull;
			if (!*at)
				break;
		}
	return hash;
}

static bool is_same(const Kview__Wire__UserStack *one, const Kview__Wire__UserStack *other)
{
	size_t i;

	if (one->n_functions != other->n_functions || one->is_whole != other->is_whole)
		return false;
	for (i = 0; i < one->n_functions; i++)
		if (strcmp(one->functions[i], other->functions[i]))
			return false;
	return true;
}

/* As it was before the kernel replaced return addresses. */
static void copy__put_returns_back(struct xp_user_stack *copy)
{
	uint64_t offset;
	size_t i;

	for (i = 0; i < XP_USER_STACK_CALLS; i++) {
		offset = copy->returns[i].sp - copy->registers[FRAME_RSP];
		if (copy->returns[i].to && offset % 8 == 0 && offset / 8 < copy->nr_bytes / 8)
			copy->words[offset / 8] = copy->returns[i].to;
	}
}

/* Up to the outermost measured function, which ends where the copy does. */
static int slot__unwind(struct user_stacks *stacks, struct slot *slot)
{
	struct xp_user_stack *copy = &stacks->copy;
	const struct frame_memory memory = { copy->registers[FRAME_RSP], (const uint8_t *)copy->words, copy->nr_bytes };
	Kview__Wire__UserStack *message = &slot->stack.message;
	size_t nr, i;
	bool is_complete;

	_Static_assert(XP_USER_REGISTERS == FRAME_REGISTERS, "the same registers");
	copy__put_returns_back(copy);
	nr = stack__unwind(stacks->code, (const uint64_t *)copy->registers, &memory, stacks->frames, MOST_FUNCTIONS, &is_complete);
	for (i = 0; i < nr && stacks->frames[i].end < copy->end; i++)
		;
	message->is_whole = i < nr && stacks->frames[i].end == copy->end;
	if (i < nr)
		nr = i + 1;
	message->functions = calloc(nr + 1, sizeof(*message->functions));
	if (!message->functions)
		return -1;
	for (i = 0; i < nr; i++) {
		message->functions[i] = frame__name(stacks, &stacks->frames[i]);
		if (!message->functions[i])
			return -1;
		message->n_functions++;
	}
	slot->locks = locks__of(stacks, message);
	return nr ? 0 : -1;
}

static struct slot **stacks__slot(const struct user_stacks *stacks, uint64_t number)
{
	size_t at = number & (SLOTS - 1);

	while (stacks->slots[at] && stacks->slots[at]->number != number)
		at = (at + 1) & (SLOTS - 1);
	return &stacks->slots[at];
}

/* Its functions are kept once: of others that have the same, the first one's are told. */
static void slot__find_first(struct user_stacks *stacks, struct slot *slot)
{
	const struct slot *other;
	size_t i;

	slot->hash = hash_of(&slot->stack.message);
	slot->first = slot->number;
	for (i = 0; i < SLOTS; i++) {
		other = stacks->slots[i];
		if (!other || other == slot || other->first != other->number || other->hash != slot->hash ||
		    other->locks != slot->locks || !is_same(&other->stack.message, &slot->stack.message))
			continue;
		slot->first = other->number;
		stack__free(&slot->stack);
		return;
	}
}

uint64_t user_stacks__first(struct user_stacks *stacks, int map, uint64_t number)
{
	struct slot **at = stacks__slot(stacks, number), *slot = *at;
	uint64_t begin_ns;

	if (slot)
		return slot->first;
	begin_ns = clock__cpu_ns();
	if (!stacks->code || stacks->nr == SLOTS / 2 || begin_ns >= stacks->until_ns || bpf_map_lookup_elem(map, &number, &stacks->copy) ||
	    stacks->copy.nr_bytes > sizeof(stacks->copy.words))
		return XP_STACK_UNKNOWN;
	slot = calloc(1, sizeof(*slot));
	if (!slot)
		return XP_STACK_UNKNOWN;
	slot->number = number;
	kview__wire__user_stack__init(&slot->stack.message);
	*at = slot;
	stacks->nr++;
	if (slot__unwind(stacks, slot))
		stack__free(&slot->stack);
	else
		slot__find_first(stacks, slot);
	stacks->took_ns += clock__cpu_ns() - begin_ns;
	return slot->first;
}

struct user_stack *user_stacks__of(const struct user_stacks *stacks, uint64_t first)
{
	struct slot *slot = first > XP_STACK_NO_ROOM ? *stacks__slot(stacks, first) : NULL;

	return slot && slot->stack.message.n_functions ? &slot->stack : NULL;
}

bool user_stacks__waits_for(const struct user_stacks *stacks, uint64_t first, enum xp_holder lock)
{
	const struct slot *slot = first > XP_STACK_NO_ROOM ? *stacks__slot(stacks, first) : NULL;

	return slot && slot->locks & 1U << lock;
}
