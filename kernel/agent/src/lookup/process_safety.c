// SPDX-License-Identifier: GPL-2.0
/*
 * Whether return addresses on a process's stacks may be replaced, and whether each of its threads
 * stays on one stack: combined from the answers for all files that it maps.
 */
#include "lookup/unwinding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "lookup/loader.h"
#include "lookup/process_files.h"
#include "lookup/stack_proof.h"
#include "lookup/symbols.h"
#include "lookup/thread_policies.h"

/* The answers are cached by the files' identity, so that code is examined only once. */
#define KNOWN_FILES 512
static struct known_file {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified, changed;
	struct file_safety safety;
} known_files[KNOWN_FILES];
static size_t nr_known_files;

static bool is_same(const struct known_file *known, const struct stat *st)
{
	return known->device == st->st_dev && known->inode == st->st_ino &&
	       known->size == st->st_size &&
	       !memcmp(&known->modified, &st->st_mtim, sizeof(known->modified)) &&
	       !memcmp(&known->changed, &st->st_ctim, sizeof(known->changed));
}

static void examine_anew(struct file_safety *safety, const struct mapped_file *mapped,
			 const char *path)
{
	struct elf_file file = { .fd = -1 };
	struct error error = { 0 };

	*safety = (struct file_safety){ 0 };
	if (elf_file__open(&file, path, mapped->path, &error))
		snprintf(safety->reason, sizeof(safety->reason), "can't be examined");
	else
		elf_file__examine_safety(&file, mapped->path, safety);
	elf_file__close(&file);
}

static void examine(struct file_safety *safety, const struct mapped_file *mapped, pid_t pid)
{
	char *path = mapped_file__open_path(mapped, pid);
	struct known_file *known;
	struct stat st;

	*safety = (struct file_safety){ 0 };
	if (!path || stat(path, &st)) {
		snprintf(safety->reason, sizeof(safety->reason), "can't be examined");
		free(path);
		return;
	}
	for (size_t i = 0; i < nr_known_files && i < KNOWN_FILES; i++) {
		if (!is_same(&known_files[i], &st))
			continue;
		*safety = known_files[i].safety;
		free(path);
		return;
	}
	examine_anew(safety, mapped, path);
	free(path);
	known = &known_files[nr_known_files++ % KNOWN_FILES];
	*known = (struct known_file){ st.st_dev, st.st_ino, st.st_size, st.st_mtim, st.st_ctim,
				      *safety };
}

static void refuse(struct fn_process_safety *safety, const char *reason)
{
	safety->returns = safety->one_stack = false;
	snprintf(safety->reason, sizeof(safety->reason), "%s", reason);
}

/* Keeps the first sentence, unless the new one is about more. */
static void add(struct fn_process_safety *safety, const struct mapped_file *mapped,
		const struct file_safety *file)
{
	safety->code_stays &= file->code_stays;
	safety->sets_filters |= file->sets_filters;
	if (file->returns && file->one_stack)
		return;
	if (!safety->reason[0] || (safety->one_stack && !file->one_stack))
		snprintf(safety->reason, sizeof(safety->reason), "%.100s %.300s.",
			 base_name(mapped->path), file->reason);
	safety->returns &= file->returns;
	safety->one_stack &= file->one_stack;
}

/* Whether code that is loaded later can be noticed. */
static bool can_be_watched(pid_t pid)
{
	struct loader loader;
	bool can;

	loader__find(&loader, pid);
	can = !loader.is_needed || loader.open_path;
	loader__free(&loader);
	return can;
}

/* Whether it is this same agent, which traces a program that it launched until that is resumed. */
static bool is_agent(pid_t pid)
{
	struct stat own;

	return !stat("/proc/self/exe", &own) && process__runs(pid, &own);
}

/* Another one than this agent. */
static pid_t other_tracer(pid_t pid)
{
	pid_t tracer = process__tracer(pid);

	return tracer && !is_agent(tracer) ? tracer : 0;
}

const char *fn_process_safety__filtered(const struct fn_process_safety *safety, pid_t pid)
{
	struct thread_policies policies;

	if (safety->sets_filters)
		return "The process can filter its system calls (seccomp), and the kernel lets filters judge the way back from a replaced return address.";
	/* A filter may also have been set before the program was executed. */
	thread_policies__read(&policies, pid, true);
	return policies.filtered ? "System calls of the process are filtered (seccomp), and the kernel lets filters judge the way back from a replaced return address." : NULL;
}

void fn_known_code__add(struct fn_known_code *known, uint64_t start, uint64_t end)
{
	if (known->nr == known->room) {
		size_t room = known->room ? 2 * known->room : 16;
		struct known_range *grown = realloc(known->all, room * sizeof(*grown));

		if (!grown)
			return;
		known->all = grown;
		known->room = room;
	}
	known->all[known->nr++] = (struct known_range){ start, end };
}

void fn_known_code__free(struct fn_known_code *known)
{
	free(known->all);
	*known = (struct fn_known_code){ 0 };
}

/* at: where the last one was found. */
static bool is_known(const struct fn_known_code *known, const struct mapped_code *code, size_t *at)
{
	for (size_t i = 0; known && i < known->nr; i++) {
		size_t next = (*at + i) % known->nr;

		if (known->all[next].start != code->start || known->all[next].end != code->end)
			continue;
		*at = next;
		return !code->can_write;
	}
	return false;
}

static bool has_made_code(const struct process_files *files, const struct fn_known_code *known)
{
	size_t at = 0;

	for (size_t i = 0; i < files->nr_code; i++)
		if (files->code[i].is_made && !is_known(known, &files->code[i], &at))
			return true;
	return false;
}

void fn_process_safety__read(struct fn_process_safety *safety, pid_t pid, const struct fn_known_code *known)
{
	struct process_files files;
	struct error error = { 0 };

	bool handles_signals = false, writes_context = false;
	pid_t tracer;

	*safety = (struct fn_process_safety){ .returns = true, .one_stack = true,
					      .code_stays = true };
	if (process_files__read(&files, pid, &error))
		return refuse(safety, error.message);
	if (!files.nr)
		refuse(safety, "The process maps no files.");
	else if (has_made_code(&files, known))
		refuse(safety, "The process has executable memory that is of no file, as just-in-time compilers make it.");
	else if (files.has_writable_code)
		refuse(safety, "The process can change its own code: it maps memory that is both writable and executable.");
	for (size_t i = 0; i < files.nr && safety->one_stack; i++) {
		const struct mapped_file *mapped = &files.all[i];
		struct file_safety file;

		if (!mapped->is_executable)
			continue;
		examine(&file, mapped, pid);
		add(safety, mapped, &file);
		handles_signals |= file.handles_signals;
		writes_context |= file.writes_context;
		if (handles_signals && writes_context && safety->one_stack)
			refuse(safety, "A signal handler of the process may go back to another stack: it sets handlers, and has code that can write their context.");
	}
	process_files__free(&files);
	/*
	 * The way back from a replaced return address is a system call, which a tracer would see.
	 */
	tracer = other_tracer(pid);
	if (safety->returns && tracer) {
		safety->returns = false;
		snprintf(safety->reason, sizeof(safety->reason),
			 "Process %d traces it, as a debugger or strace does.", tracer);
	}
	if (safety->returns && process__has_shadow_stacks(pid)) {
		safety->returns = false;
		snprintf(safety->reason, sizeof(safety->reason),
			 "The process has shadow stacks, which not every kernel keeps in step with replaced return addresses.");
	}
	if (safety->returns && !can_be_watched(pid)) {
		safety->returns = false;
		snprintf(safety->reason, sizeof(safety->reason),
			 "The process's dynamic loader does not tell what it loads (it exports no _dl_debug_state).");
	}
}
