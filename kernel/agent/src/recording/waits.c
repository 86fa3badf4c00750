// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>

#include "lookup/names.h"
#include "mechanism/bpf/waits.h"
#include "recording/call_names.h"
#include "recording/counted_waits.h"
#include "recording/lock_names.h"
#include "recording/user_stacks.h"
#include "recording/wait_files.h"
#include "recording/wait_stacks.h"
#include "recording/waits.h"

/* A message, and what it points to. */
struct told {
	Kview__Wire__Wait wait;
	uint32_t function;
	struct wait_stack *stack;	/* NULL: none */
	struct wait_file *file;		/* likewise */
	struct user_stack *user_stack;	/* likewise */
	char waker_name[sizeof(((struct xp_wait_key *)0)->waker_name) + 1];
	char holder_name[sizeof(((struct xp_wait_key *)0)->holder_name) + 1];
};

struct waits {
	const struct mechanisms *mechanisms;
	struct lock_names *names;
	struct wait_stacks *stacks;
	struct wait_files *files;
	struct user_stacks *user_stacks;
	char **point_names;			/* by point, as they are told */
	struct counted_waits *counted;
	struct xp_wait *others;			/* [most points][XP_CAUSES] */
	uint32_t *indexes;			/* of others */
	size_t nr_others;
	Kview__Wire__FunctionDelta **functions;	/* by function; NULL: it is not told of now */
	struct told *told;
	size_t nr_told, room;
	Kview__Wire__Wait **list;
	Kview__Wire__KernelStack **stack_list;
	Kview__Wire__OpenFile **file_list;
	Kview__Wire__UserStack **user_stack_list;
};

static void point_names__free(char **names, size_t nr)
{
	size_t i;

	for (i = 0; names && i < nr; i++)
		free(names[i]);
	free(names);
}

static char **point_names__new(const struct mechanisms *mechanisms)
{
	char **names = calloc(mechanisms->nr + 1, sizeof(*names)), *demangled;
	size_t i;

	for (i = 0; names && i < mechanisms->nr; i++) {
		demangled = name__demangle(mechanisms->names[i], false);
		names[i] = name__printable(demangled ? demangled : mechanisms->names[i]);
		free(demangled);
		if (!names[i]) {
			point_names__free(names, i);
			return NULL;
		}
	}
	return names;
}

struct waits *waits__new(const struct mechanisms *mechanisms)
{
	struct waits *w = calloc(1, sizeof(*w));
	size_t i, most = 0;

	if (!w)
		return NULL;
	w->mechanisms = mechanisms;
	for (i = 0; i < mechanisms->nr_waits; i++)
		if (mechanisms->waits[i].nr > most)
			most = mechanisms->waits[i].nr;
	if (!most)
		return w;
	w->nr_others = most * XP_CAUSES;
	w->names = lock_names__new(mechanisms->pid);
	w->stacks = wait_stacks__new();
	w->files = wait_files__new(mechanisms->pid);
	w->user_stacks = user_stacks__new(mechanisms->pid);
	w->counted = counted_waits__new(mechanisms->pid);
	w->others = calloc(w->nr_others, sizeof(*w->others));
	w->indexes = calloc(w->nr_others, sizeof(*w->indexes));
	w->functions = calloc(mechanisms->nr, sizeof(*w->functions));
	w->room = mechanisms->nr_waits * (XP_WAITS + w->nr_others);
	w->told = calloc(w->room, sizeof(*w->told));
	w->list = calloc(w->room, sizeof(*w->list));
	w->stack_list = calloc(w->room, sizeof(*w->stack_list));
	w->file_list = calloc(w->room, sizeof(*w->file_list));
	w->user_stack_list = calloc(w->room, sizeof(*w->user_stack_list));
	w->point_names = point_names__new(mechanisms);
	if (!w->point_names || !w->names || !w->stacks || !w->files || !w->user_stacks || !w->counted || !w->others || !w->indexes ||
	    !w->functions || !w->told || !w->list || !w->stack_list || !w->file_list || !w->user_stack_list) {
		waits__free(w);
		return NULL;
	}
	for (i = 0; i < mechanisms->nr_waits; i++)
		user_stacks__tell_code(w->user_stacks, mechanisms->waits[i].maps.code_fd);
	return w;
}

void waits__free(struct waits *w)
{
	if (!w)
		return;
	lock_names__free(w->names);
	wait_stacks__free(w->stacks);
	wait_files__free(w->files);
	user_stacks__free(w->user_stacks);
	point_names__free(w->point_names, w->mechanisms->nr);
	counted_waits__free(w->counted);
	free(w->others);
	free(w->indexes);
	free(w->functions);
	free(w->told);
	free(w->list);
	free(w->stack_list);
	free(w->file_list);
	free(w->user_stack_list);
	free(w);
}

/* A name may hold any byte, and a message text alone. */
static void copy_text(char *to, const char *from, size_t length)
{
	size_t i;

	for (i = 0; i < length && from[i]; i++)
		to[i] = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
	to[i] = '\0';
}

static Kview__Wire__Wait *waits__add(struct waits *w, uint32_t function, uint32_t cause, const struct xp_wait *sum)
{
	struct told *told;

	if (w->nr_told == w->room || !sum->count || !w->functions[function])
		return NULL;
	told = &w->told[w->nr_told++];
	told->function = function;
	told->stack = NULL;
	told->file = NULL;
	told->user_stack = NULL;
	kview__wire__wait__init(&told->wait);
	told->wait.metric = (Kview__Wire__Metric)cause;
	told->wait.time_ns = sum->ns;
	told->wait.waits = sum->count;
	return &told->wait;
}

static void waits__place(struct waits *w, struct told *told, int stacks_fd, uint64_t number)
{
	if (wait_stacks__are_hidden(w->stacks)) {
		told->wait.place = KVIEW__WIRE__WAIT__PLACE__PLACE_HIDDEN;
	} else if (number == XP_STACK_NO_ROOM) {
		told->wait.place = KVIEW__WIRE__WAIT__PLACE__PLACE_OTHERS;
	} else if (number != XP_STACK_UNKNOWN) {
		told->stack = wait_stacks__of(w->stacks, stacks_fd, number);
		if (told->stack)
			told->wait.place = KVIEW__WIRE__WAIT__PLACE__PLACE_STACK;
	}
}

static void waits__name_call(struct waits *w, struct told *told, int files_fd, const struct xp_wait_key *key)
{
	if (!key->syscall)
		return;
	told->wait.system_call = (char *)call_name__of(key->syscall - 1);
	told->wait.open_file_of_many = key->file == XP_FILE_NO_ROOM;
	if (key->file > XP_FILE_NO_ROOM)
		told->file = wait_files__of(w->files, files_fd, key->file);
}

static void waits__name_holder(struct waits *w, struct told *told, const struct mechanisms_waits *from, const struct xp_wait_key *key)
{
	if (!key->holder)
		return;
	copy_text(told->holder_name, key->holder_name, sizeof(key->holder_name));
	told->wait.holder_tid = key->holder_tid;
	told->wait.holder_pid = key->holder_pid ? key->holder_pid : (uint32_t)w->mechanisms->pid;
	told->wait.holder_name = told->holder_name;
	if (key->holder_function && key->holder_function <= from->nr)
		told->wait.holder_function = w->point_names[from->points[key->holder_function - 1]];
}

static void waits__add_one(struct waits *w, uint32_t function, const struct mechanisms_waits *from, const struct xp_wait_key *key,
			   const struct xp_wait *sum)
{
	Kview__Wire__Wait *wait = waits__add(w, function, key->cause, sum);
	struct told *told;

	if (!wait)
		return;
	told = &w->told[w->nr_told - 1];
	copy_text(told->waker_name, key->waker_name, sizeof(key->waker_name));
	wait->waker = (Kview__Wire__Wait__Waker)key->waker;
	wait->waker_tid = key->waker_tid;
	wait->waker_pid = key->waker_pid;
	wait->waker_name = told->waker_name;
	wait->lock_address = key->lock;
	if (key->lock)
		wait->lock_name = (char *)lock_names__of(w->names, key->lock);
	waits__place(w, told, from->maps.stacks_fd, key->stack);
	waits__name_call(w, told, from->maps.files_fd, key);
	waits__name_holder(w, told, from, key);
	told->user_stack = user_stacks__of(w->user_stacks, key->user_stack);
	wait->user_stack_of_many = key->user_stack == XP_STACK_NO_ROOM;
}

static size_t waits__read(struct waits *w, const struct mechanisms_waits *from)
{
	int64_t nr = counted_waits__read(w->counted, &from->maps, w->user_stacks), i;
	const struct counted_wait *all = w->counted->all;
	Kview__Wire__Wait *wait;
	uint32_t function;

	if (nr < 0)
		return 1;
	for (i = 0; i < nr; i++)
		if (all[i].key.lock)
			lock_names__want(w->names, all[i].key.lock);
	lock_names__find(w->names);
	/* Functions beyond these are calibration's. */
	for (i = 0; i < nr; i++)
		if (all[i].key.function < from->nr)
			waits__add_one(w, from->points[all[i].key.function], from, &all[i].key, &all[i].sum);
	nr = map__read(from->maps.others_fd, w->indexes, w->others, from->nr * XP_CAUSES);
	if (nr < 0)
		return 1;
	for (i = 0; i < nr; i++) {
		function = w->indexes[i] / XP_CAUSES;
		if (function >= from->nr)
			continue;
		wait = waits__add(w, from->points[function], XP_FIRST_CAUSE + w->indexes[i] % XP_CAUSES, &w->others[i]);
		if (wait)
			wait->waker = KVIEW__WIRE__WAIT__WAKER__OTHERS;
	}
	return 0;
}

/* By function, and in each the longest first. */
static int told__compare(const void *a, const void *b)
{
	const struct told *one = a, *other = b;

	if (one->function != other->function)
		return one->function < other->function ? -1 : 1;
	return one->wait.time_ns < other->wait.time_ns ? 1 : one->wait.time_ns > other->wait.time_ns ? -1 : 0;
}

/* Each function tells the stacks that its waits name, once. */
static void function__tell_stack(Kview__Wire__FunctionDelta *function, Kview__Wire__KernelStack **list, size_t *nr,
				 struct told *told)
{
	struct wait_stack *stack = told->stack;

	if (stack->index >= function->n_kernel_stacks || function->kernel_stacks[stack->index] != &stack->message) {
		if (!function->n_kernel_stacks)
			function->kernel_stacks = &list[*nr];
		list[(*nr)++] = &stack->message;
		stack->index = function->n_kernel_stacks++;
	}
	told->wait.kernel_stack = stack->index;
}

/* Likewise. */
static void function__tell_file(Kview__Wire__FunctionDelta *function, Kview__Wire__OpenFile **list, size_t *nr,
				struct told *told)
{
	struct wait_file *file = told->file;

	if (file->index >= function->n_open_files || function->open_files[file->index] != &file->message) {
		if (!function->n_open_files)
			function->open_files = &list[*nr];
		list[(*nr)++] = &file->message;
		file->index = function->n_open_files++;
	}
	told->wait.open_file = 1 + file->index;
}

/* Likewise. */
static void function__tell_user_stack(Kview__Wire__FunctionDelta *function, Kview__Wire__UserStack **list, size_t *nr,
				      struct told *told)
{
	struct user_stack *stack = told->user_stack;

	if (stack->index >= function->n_user_stacks || function->user_stacks[stack->index] != &stack->message) {
		if (!function->n_user_stacks)
			function->user_stacks = &list[*nr];
		list[(*nr)++] = &stack->message;
		stack->index = function->n_user_stacks++;
	}
	told->wait.user_stack = 1 + stack->index;
}

size_t waits__tell(struct waits *w, Kview__Wire__FunctionDelta **functions, size_t nr)
{
	const struct mechanisms *mechanisms = w->mechanisms;
	Kview__Wire__FunctionDelta *function;
	size_t i, missing = 0, nr_stacks = 0, nr_files = 0, nr_user_stacks = 0;

	if (!w->told || !nr)
		return 0;
	memset(w->functions, 0, mechanisms->nr * sizeof(*w->functions));
	for (i = 0; i < nr; i++)
		w->functions[functions[i]->function_id] = functions[i];
	w->nr_told = 0;
	wait_files__begin(w->files);
	if (user_stacks__begin(w->user_stacks))
		for (i = 0; i < mechanisms->nr_waits; i++)
			user_stacks__tell_code(w->user_stacks, mechanisms->waits[i].maps.code_fd);
	for (i = 0; i < mechanisms->nr_waits; i++)
		missing += waits__read(w, &mechanisms->waits[i]);
	qsort(w->told, w->nr_told, sizeof(*w->told), told__compare);
	for (i = 0; i < w->nr_told; i++) {
		struct told *told = &w->told[i];

		/* They were moved. */
		if (told->wait.waker != KVIEW__WIRE__WAIT__WAKER__OTHERS)
			told->wait.waker_name = told->waker_name;
		if (told->wait.holder_tid)
			told->wait.holder_name = told->holder_name;
		w->list[i] = &told->wait;
		function = w->functions[told->function];
		if (!function->n_waits++)
			function->waits = &w->list[i];
		if (told->stack)
			function__tell_stack(function, w->stack_list, &nr_stacks, told);
		if (told->file)
			function__tell_file(function, w->file_list, &nr_files, told);
		if (told->user_stack)
			function__tell_user_stack(function, w->user_stack_list, &nr_user_stacks, told);
	}
	return missing;
}
