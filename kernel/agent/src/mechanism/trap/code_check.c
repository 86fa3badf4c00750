// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/loop.h"
#include "lookup/data_mappings.h"
#include "lookup/process_code.h"
#include "mechanism/trap/code_check.h"
#include "mechanism/trap/code_note.h"
#include "mechanism/trap/held_files.h"

static bool is_mapped_as_data(const struct place *place, const struct process_files *maps,
			      struct held_files *files)
{
	struct elf_file file = { .fd = -1 };
	struct error ignored = { 0 };
	const char *path;
	bool is;

	if (!data_mappings__have(maps, place->file.inode, NULL, place->offset))
		return false;
	path = held_files__path(files, place);
	is = path && !elf_file__open(&file, path, path, &ignored) &&
	     data_mappings__have(maps, place->file.inode, &file, place->offset);
	elf_file__close(&file);
	error__free(&ignored);
	return is;
}

/* Its memory can be read, so its mappings can. */
static void note_data(pid_t pid, struct places *places, struct held_files *files)
{
	struct process_files maps;
	struct error ignored = { 0 };
	size_t i;

	if (!process_files__read(&maps, pid, &ignored))
		for (i = 0; i < places->nr; i++)
			places->all[i].is_data = is_mapped_as_data(&places->all[i], &maps, files);
	process_files__free(&maps);
	error__free(&ignored);
}

int code__check(pid_t pid, struct places *places, struct held_files *files,
		const struct xprobe_function *functions, size_t nr, struct error *error)
{
	const char *name = "The place where the dynamic loader tells of libraries";
	size_t i, j;

	if (code__note(pid, places, files))
		return errno == ENOENT || errno == ESRCH ?
			error__set(error, ERR_PROCESS_ENDED, "Process %d has ended.", pid) :
			error__set(error, ERR_NO_PERMISSION,
				   "The memory of process %d can't be read (%s), so that nothing shows whether its code is that of its files: it takes root, or an agent with CAP_SYS_PTRACE.",
				   pid, strerror(errno));
	note_data(pid, places, files);
	for (i = 0; i < places->nr; i++) {
		if (!places->all[i].changed && !places->all[i].is_data)
			continue;
		for (j = 0; j < nr; j++)
			if (functions[j].id == (places->all[i].cookie & 0xffff))
				name = functions[j].function->name;
		return error__set(error, ERR_NOT_PROBEABLE, "%.150s can't be probed: %s", name,
				  places->all[i].is_data ? CODE_IS_DATA : CODE_WAS_CHANGED);
	}
	return 0;
}

/* Of a process whose memory even root may not read: whether it is seen to map one of the files. */
static bool is_seen_to_map(pid_t pid, const struct places *places)
{
	struct process_files maps;
	struct error ignored = { 0 };
	bool does = false;
	size_t i, j;

	if (!process_files__read(&maps, pid, &ignored))
		for (i = 0; i < maps.nr && !does; i++)
			for (j = 0; j < places->nr && !does; j++)
				does = maps.all[i].inode == places->all[j].file.inode;
	process_files__free(&maps);
	error__free(&ignored);
	return does;
}

int code__check_all(struct places *places, struct held_files *files, const struct xprobe_function *functions, size_t nr,
		    struct error *error)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int result = 0;

	if (!proc)
		return error__set(error, ERR_FAILED, "The processes of this host can't be read: %s.", strerror(errno));
	while (!result && (entry = readdir(proc))) {
		struct error of_one = { 0 };
		pid_t pid = atoi(entry->d_name);

		loop__breathe();
		if (pid <= 0 || !code__check(pid, places, files, functions, nr, &of_one) || of_one.code == ERR_PROCESS_ENDED ||
		    (of_one.code == ERR_NO_PERMISSION && !is_seen_to_map(pid, places)))
			continue;
		result = error__set(error, of_one.code, "Of process %d, which would have the probes as well: %.400s", pid, of_one.message);
	}
	closedir(proc);
	return result;
}
