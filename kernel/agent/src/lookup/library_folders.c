// SPDX-License-Identifier: GPL-2.0
#include "lookup/library_folders.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FOLDERS 256
#define MAX_TABLE_BYTES (1u << 20)
#define MAX_ENVIRONMENT_BYTES (1u << 20)

struct folders {
	char **all;
	size_t nr;
};

/* origin: the value of $ORIGIN, or NULL. */
static void add(struct folders *folders, const char *folder, size_t length, const char *origin)
{
	static const char *const forms[] = { "$ORIGIN", "${ORIGIN}" };
	char *added = NULL;

	for (size_t i = 0; origin && i < 2 && !added; i++)
		if (length >= strlen(forms[i]) && !strncmp(folder, forms[i], strlen(forms[i])) &&
		    asprintf(&added, "%s%.*s", origin, (int)(length - strlen(forms[i])),
			     folder + strlen(forms[i])) < 0)
			return;
	/* A relative path would depend on the working directory that the process will have then. */
	if (!added && length && folder[0] == '/')
		added = strndup(folder, length);
	for (size_t i = 0; added && i < folders->nr; i++)
		if (!strcmp(folders->all[i], added)) {
			free(added);
			return;
		}
	if (added && folders->nr < MAX_FOLDERS)
		folders->all[folders->nr++] = added;
	else
		free(added);
}

static void add_list(struct folders *folders, const char *list, const char *origin)
{
	for (; *list; list += *list == ':') {
		size_t length = strcspn(list, ":");

		add(folders, list, length, origin);
		list += length;
	}
}

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? strndup(path, slash - path) : NULL;
}

static void add_named_by(struct folders *folders, const struct elf_file *file, const char *origin)
{
	const Elf64_Shdr *section = elf_file__section_of_type(file, SHT_DYNAMIC);
	struct elf_bytes entries, names;

	if (!section || section->sh_link >= file->nr_sections ||
	    elf_file__read_section(file, section, MAX_TABLE_BYTES, &entries))
		return;
	if (!elf_file__read_section(file, &file->sections[section->sh_link], MAX_TABLE_BYTES,
				    &names)) {
		for (size_t at = 0; entries.length - at >= sizeof(Elf64_Dyn); at += sizeof(Elf64_Dyn)) {
			Elf64_Dyn entry;

			memcpy(&entry, entries.data + at, sizeof(entry));
			if ((entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH) &&
			    entry.d_un.d_val < names.length)
				add_list(folders, (char *)names.data + entry.d_un.d_val, origin);
		}
		free(names.data);
	}
	free(entries.data);
}

static void add_of_program(struct folders *folders, pid_t pid)
{
	struct elf_file file = { .fd = -1 };
	struct error ignored = { 0 };
	char path[32], target[4096];
	ssize_t length;
	char *origin;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	length = readlink(path, target, sizeof(target) - 1);
	if (length <= 0)
		return;
	target[length] = 0;
	origin = folder_of(target);
	if (origin && !elf_file__open(&file, path, path, &ignored))
		add_named_by(folders, &file, origin);
	elf_file__close(&file);
	free(origin);
}

static void add_of_environment(struct folders *folders, pid_t pid)
{
	static const char name[] = "LD_LIBRARY_PATH=";
	size_t line_bytes = 0, all = 0;
	char *line = NULL;
	ssize_t length;
	char path[32];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/environ", pid);
	file = fopen(path, "re");
	while (file && all < MAX_ENVIRONMENT_BYTES &&
	       (length = getdelim(&line, &line_bytes, 0, file)) > 0) {
		all += length;
		if (!strncmp(line, name, sizeof(name) - 1))
			add_list(folders, line + sizeof(name) - 1, NULL);
	}
	free(line);
	if (file)
		fclose(file);
}

char **library_folders__of(const struct process_files *files, pid_t pid)
{
	static const char *const systems[] = {
		"/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib",
	};
	struct folders folders = { calloc(MAX_FOLDERS + 1, sizeof(char *)), 0 };

	if (!folders.all)
		return NULL;
	add_of_program(&folders, pid);
	add_of_environment(&folders, pid);
	for (size_t i = 0; i < files->nr; i++) {
		char *folder = files->all[i].is_executable ? folder_of(files->all[i].path) : NULL;

		if (folder)
			add(&folders, folder, strlen(folder), NULL);
		free(folder);
	}
	for (size_t i = 0; i < sizeof(systems) / sizeof(systems[0]); i++)
		add(&folders, systems[i], strlen(systems[i]), NULL);
	return folders.all;
}

void library_folders__free(char **folders)
{
	for (size_t i = 0; folders && folders[i]; i++)
		free(folders[i]);
	free(folders);
}
