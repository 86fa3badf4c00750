// SPDX-License-Identifier: GPL-2.0
#include "place/prepare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decide/file_plans.h"
#include "lookup/process_files.h"
#include "lookup/thread_policies.h"
#include "place/clock.h"
#include "place/regions.h"

#define LEAST_CODE (16 * JUMP_PAGE)
#define FOR_FUNCTION 2048	/* bytes; more than most need */
#define LEAST_SHARED (8u << 20)	/* of the figures and clocks: for places, and of each processor */
#define MOST_SHARED (1ull << 30)
#define MOST_SHARDS 16

struct preparation {
	struct remote *remote;
	struct process_files files;
	struct file_plans plans;
	struct mapped_file mapped;	/* its path is that of files */
	char *path, *open_path;
	bool handles_faults;		/* it has handlers of its own */
	uint64_t bias;
	struct code code;
	struct regions regions;		/* with what is meant to be mapped */
	struct board_space space;
};

static int check_process(pid_t pid, bool *handles_faults, struct error *error)
{
	struct thread_policies policies;

	if (pid == getpid())
		return error__set(error, ERR_BAD_REQUEST, "That is this program itself.");
	thread_policies__read(&policies, pid, true);
	*handles_faults = policies.handles_faults;
	if (policies.filtered)
		return error__set(error, ERR_NOT_PROBEABLE, "System calls of process %d are filtered (seccomp).", pid);
	if (policies.shadow_stack)
		return error__set(error, ERR_NOT_PROBEABLE, "Process %d has shadow stacks.", pid);
	return clock__check(error);
}

static bool is_apart(const struct mapped_code *code, const struct mapped_file *mapped)
{
	return code->inode == mapped->inode && code->start - code->offset != mapped->start - mapped->offset;
}

static bool is_loaded_once(const struct process_files *files, const struct mapped_file *mapped)
{
	uint64_t bytes = 0, apart = 0;

	for (size_t i = 0; i < files->nr_code; i++)
		if (files->code[i].inode == mapped->inode)
			*(is_apart(&files->code[i], mapped) ? &apart : &bytes) += files->code[i].end - files->code[i].start;
	return apart < bytes;
}

/*
 * Where most of its code agrees that the file begins: V8, as of node, maps a part of its own a second time, near to what it
 * makes, and that may lie first.
 */
static bool find_loaded(const struct process_files *files, struct mapped_file *mapped)
{
	for (size_t i = 0; i < files->nr_code; i++) {
		const struct mapped_code *code = &files->code[i];
		struct mapped_file other = *mapped;

		if (code->inode != mapped->inode)
			continue;
		other.start = code->start;
		other.end = code->end;
		other.offset = code->offset;
		if (is_loaded_once(files, &other)) {
			*mapped = other;
			return true;
		}
	}
	return false;
}

/* Who runs the other one would not be counted. */
static bool is_mapped_twice(const struct preparation *to, const struct plan *plan)
{
	for (size_t i = 0; i < plan->nr; i++) {
		uint64_t offset, left;

		if (!elf_file__offset_of(&to->plans.file, plan->windows[i].start, true, &offset, &left))
			return true;
		for (size_t k = 0; k < to->files.nr_code; k++) {
			const struct mapped_code *code = &to->files.code[k];

			if (is_apart(code, &to->mapped) && offset + plan->windows[i].bytes > code->offset &&
			    offset < code->offset + (code->end - code->start))
				return true;
		}
	}
	return false;
}

static int find_file(struct preparation *to, pid_t pid, const char *binary, struct error *error)
{
	const struct mapped_file *mapped = NULL;
	struct stat stat;

	if (process_files__read(&to->files, pid, error) ||
	    process_files__resolve(&to->files, pid, binary, &to->path, &to->open_path, error))
		return -1;
	for (size_t i = 0; i < to->files.nr && !mapped; i++)
		if (!strcmp(to->files.all[i].path, to->path) && to->files.all[i].is_executable)
			mapped = &to->files.all[i];
	if (!mapped)
		return error__set(error, ERR_NO_SUCH_BINARY, "Process %d maps no code of %.300s.", pid, to->path);
	to->mapped = *mapped;
	if (file_plans__open(&to->plans, to->open_path, error))
		return -1;
	if (fstat(to->plans.file.fd, &stat))
		return error__set(error, ERR_FAILED, "%.300s can't be looked at.", to->path);
	to->remote->device = stat.st_dev;
	to->remote->inode = stat.st_ino;
	if (elf_file__has_text_relocations(&to->plans.file) ||
	    !find_loaded(&to->files, &to->mapped) || !mapped_file__bias(&to->mapped, &to->plans.file, &to->bias))
		return error__set(error, ERR_NOT_PROBEABLE, "Process %d maps the code of %.300s more than once, or not in the way the file describes.",
				  pid, to->path);
	return 0;
}

/* Files that lie close together would have the same place. */
static int reserve_others(struct regions *regions, const struct remote *other)
{
	for (; other; other = other->beside) {
		const struct boards *boards = &other->image.boards;
		struct board_run run;

		if (regions__reserve(regions, other->image.address, other->image.address + other->reserved))
			return -1;
		for (size_t i = 0; i < boards->nr; i = run.next) {
			run = boards__run(boards, i);
			if (regions__reserve(regions, run.start, run.start + run.bytes))
				return -1;
		}
	}
	return 0;
}

static int make_image(struct preparation *to, uint32_t nr, uint64_t shared, struct error *error)
{
	uint64_t start = UINT64_MAX, end = 0, at;
	size_t code_bytes = (LEAST_CODE + (size_t)nr * FOR_FUNCTION) / JUMP_PAGE * JUMP_PAGE;
	struct regions *regions = &to->regions;

	for (size_t i = 0; i < to->plans.targets.nr_ranges; i++) {
		const struct target_range *range = &to->plans.targets.ranges[i];

		if (!range->kinds)
			continue;
		start = range->start < start ? range->start : start;
		end = range->end > end ? range->end : end;
	}
	if (regions__read(regions, to->remote->process.pid))
		return error__set(error, ERR_PROCESS_ENDED, "What process %d maps can't be read: it may have ended.",
				  to->remote->process.pid);
	to->remote->reserved = JUMP_CONTROL_BYTES + code_bytes + shared;
	at = reserve_others(regions, to->remote->beside) ? 0 :
	     regions__room(regions, start + to->bias, end + to->bias, to->remote->reserved);
	if (!at)
		return error__set(error, ERR_NOT_PROBEABLE, "Process %d has no room within reach of %.300s.",
				  to->remote->process.pid, to->path);
	if (image__init(&to->remote->image, at, code_bytes) || regions__reserve(regions, at, at + to->remote->reserved))
		return error__set(error, ERR_FAILED, "There is no memory for the code.");
	board_space__init(&to->space, regions);
	to->remote->image.space = &to->space;
	return 0;
}

/* At most; what is not needed stays free. */
static uint64_t shared_bytes(uint32_t nr)
{
	uint64_t shards = 1, bytes;

	while (shards < MOST_SHARDS && shards < (uint64_t)sysconf(_SC_NPROCESSORS_ONLN))
		shards *= 2;
	bytes = LEAST_SHARED + nr * shards * sizeof(struct jump_figures);

	if (bytes > MOST_SHARED)
		bytes = MOST_SHARED;
	return (bytes + SHARED_RINGS_BYTES + SHARED_RINGS_BYTES / 32) / JUMP_PAGE * JUMP_PAGE;
}

#define MAY_FAULT "An instruction of it that would run elsewhere may fault, and the process handles faults itself, which its handler may know by their addresses."
#define NO_ROOM "Where a jump may lead beside others' traps something else is mapped or may grow; or its code is out of reach, crosses the end of a page, or belongs to another measured function, too."

/* may_fault: a handler of the process's that goes by addresses would not know a fault where it had room, or find no stack. */
static bool put(struct preparation *to, uint32_t number, struct plan *plan, bool *may_fault)
{
	*may_fault = to->handles_faults && plan__leave_faults(plan, &to->code);
	return !image__add(&to->remote->image, number, plan, &to->code, to->bias);
}

static void add(struct preparation *to, uint32_t number, struct wished_function *wished)
{
	const struct fn_symbol *symbol = file_plans__function(&to->plans, wished->name, wished->file_offset);
	struct plan plan = { .refusal = PLAN_FITS };
	bool may_fault;

	wished->reason[0] = 0;
	if (!symbol) {
		snprintf(wished->reason, sizeof(wished->reason), "There is no such function.");
		return;
	}
	file_plans__make(&to->plans, symbol, &to->code, &plan);
	if (plan.refusal)
		snprintf(wished->reason, sizeof(wished->reason), "%s", plan.reason);
	else if (is_mapped_twice(to, &plan))
		snprintf(wished->reason, sizeof(wished->reason), "Its code is mapped a second time, where calls would not be counted.");
	else if (!put(to, number, &plan, &may_fault))
		snprintf(wished->reason, sizeof(wished->reason), "%s", may_fault ? MAY_FAULT : NO_ROOM);
	plan__free(&plan);
	code__free(&to->code);
}

int remote__prepare(struct remote *remote, pid_t pid, const char *binary, struct wished_function *wished,
		    uint32_t nr, const struct remote *beside, struct error *error)
{
	struct preparation *to = calloc(1, sizeof(*to));
	int err;

	*remote = (struct remote){ .process = process_id__of(pid), .since = clock__now(), .beside = beside };
	if (!to)
		return error__set(error, ERR_FAILED, "There is no memory.");
	*to = (struct preparation){ .remote = remote, .plans.file.fd = -1 };
	err = check_process(pid, &to->handles_faults, error) || find_file(to, pid, binary, error) ||
	      make_image(to, nr, shared_bytes(nr), error) ? -1 : 0;
	for (uint32_t i = 0; i < nr && !err; i++)
		add(to, i, &wished[i]);
	if (!err && !remote->image.nr)
		err = error__set(error, ERR_NOT_PROBEABLE, "None of these functions can be measured by jumps: %.200s",
				 wished[0].reason);
	remote->image.space = NULL;
	regions__free(&to->regions);
	file_plans__close(&to->plans);
	process_files__free(&to->files);
	free(to->path);
	free(to->open_path);
	free(to);
	return err;
}
