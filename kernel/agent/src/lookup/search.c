// SPDX-License-Identifier: GPL-2.0
#include "lookup/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lookup/debug_file.h"
#include "lookup/names.h"
#include "lookup/process_files.h"
#include "lookup/raising.h"
#include "lookup/thread_policies.h"
#include "lookup/unwinding.h"

int search__no_memory(struct error *error)
{
	return error__set(error, ERR_FAILED, "The agent has no memory left.");
}

static bool has_end(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && !strcmp(text + length - end_length, end);
}

/*
 * Recognized by the libraries that it preloads and its tools, as .../valgrind/memcheck-amd64-linux.
 */
static bool is_of_valgrind(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && (!strncmp(name, "/vgpreload_core", 15) ||
			(name - path > 9 && !strncmp(name - 9, "/valgrind/", 10) &&
			 has_end(name, "-linux")));
}

/*
 * Valgrind reads the code, with the probes in it, and translates it.  At a translated probe the
 * program ends by SIGTRAP, and code that was translated before never meets its probes.
 */
static int refuse_translated(const struct process_files *files, pid_t pid, struct error *error)
{
	for (size_t i = 0; i < files->nr; i++)
		if (is_of_valgrind(files->all[i].path))
			return error__set(error, ERR_NOT_PROBEABLE,
				"Process %d is run by valgrind, which translates its code and would end it at a probe: measure it without valgrind.",
				pid);
	return 0;
}

int search__resolve(struct fn_list *list, const struct fn_query *query, struct error *error)
{
	struct process_files files;
	int err;

	if (!query->pid) {
		if (!query->binary || !query->binary[0])
			return error__set(error, ERR_BAD_REQUEST,
				"Neither a process nor a file was named; give one of them.");
		list->binary = realpath(query->binary, NULL);
		if (!list->binary)
			return error__set(error, errno == EACCES ? ERR_NO_PERMISSION :
				ERR_NO_SUCH_BINARY, "%.300s can't be opened: %s.",
				query->binary, strerror(errno));
		list->open_path = strdup(list->binary);
		return list->open_path ? 0 : search__no_memory(error);
	}
	if (process_files__read(&files, query->pid, error))
		return -1;
	err = refuse_translated(&files, query->pid, error) ||
	      process_files__resolve(&files, query->pid, query->binary, &list->binary,
				     &list->open_path, error) ? -1 : 0;
	list->not_loaded = !err && query->binary && query->binary[0];
	for (size_t i = 0; i < files.nr && list->not_loaded; i++)
		list->not_loaded = strcmp(files.all[i].path, list->binary);
	process_files__free(&files);
	return err;
}

/*
 * If the process executes another program, that maps the same libraries at once, before anybody
 * could remove a probe.  Only the functions of its own program are not in the next one.
 */
static bool is_program_of(const struct elf_file *file, pid_t pid)
{
	struct stat own;

	return !fstat(file->fd, &own) && process__runs(pid, &own);
}

static bool allows_uretprobes(const struct search *search, const char *path)
{
	struct fn_process_safety process;
	struct file_safety file;

	if (search->query->pid) {
		if (!is_program_of(&search->file, search->query->pid))
			return false;
		fn_process_safety__read(&process, search->query->pid, NULL);
		return process.returns &&
		       (process.code_stays || search->query->code_is_watched) &&
		       (search->query->filters_pass ||
			!fn_process_safety__filtered(&process, search->query->pid));
	}
	if (is_libc(path) || !elf_file__is_complete(&search->file))
		return false;
	elf_file__examine_safety(&search->file, path, &file);
	return file.returns && !(file.handles_signals && file.writes_context) &&
	       (file.code_stays || search->query->code_is_watched) &&
	       (!file.sets_filters || search->query->filters_pass);
}

int search__open(struct search *search, struct fn_list *list, struct error *error)
{
	const struct debug_search apart = {
		.file = &search->file, .path = list->binary, .pid = search->query->pid,
	};

	if (elf_file__open(&search->file, list->open_path, list->binary, error))
		return -1;
	if (elf_file__id(&search->file, &list->file))
		return error__set(error, ERR_FAILED, "%.300s can't be examined: %s.", list->binary,
				  strerror(errno));
	if (search->query->no_raising_files && file__gives_rights(search->file.fd))
		return error__set(error, ERR_NO_PERMISSION,
			"%.300s gives rights to whoever executes it (setuid, setgid or file capabilities), so that only root may measure it.",
			list->binary);
	if (!elf_file__section_of_type(&search->file, SHT_SYMTAB))
		search->has_debug = !debug_file__find(&search->debug, &apart);
	/* Without it, less is known about where functions and their parts are. */
	if (frame_info__read(&search->frames, &search->file))
		frame_info__free(&search->frames);
	if (symbols__load(&search->symbols, &search->file,
			  search->has_debug ? &search->debug : NULL, &search->frames, error))
		return -1;
	if (!search->symbols.nr && !search->symbols.nr_doubted)
		return error__set(error, ERR_STRIPPED,
			"%.300s has no function symbols; install its debug symbols (build-id %s) or build it without strip.",
			list->binary, search->file.build_id[0] ? search->file.build_id : "none");
	search->is_go = elf_file__is_go(&search->file);
	for (size_t i = 0; i < search->symbols.nr && !search->has_mangled; i++)
		search->has_mangled = name__language(search->symbols.all[i].name);
	if (tail_nodes__init(&search->tail_nodes, search->query->pid, list->open_path,
			     &search->file, &search->symbols, &search->frames))
		return search__no_memory(error);
	search->allows_uretprobes = !search->query->no_returns && allows_uretprobes(search, list->binary);
	search->has_shadow_stacks = search->query->pid &&
				    process__has_shadow_stacks(search->query->pid);
	return 0;
}

void search__close(struct search *search)
{
	elf_file__close(&search->file);
	if (search->has_debug)
		elf_file__close(&search->debug);
	symbols__free(&search->symbols);
	frame_info__free(&search->frames);
	tail_nodes__free(&search->tail_nodes);
	chosen__free(&search->chosen);
}
