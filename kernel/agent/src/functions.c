// SPDX-License-Identifier: GPL-2.0
#include "functions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lookup/code.h"
#include "lookup/elf_file.h"
#include "lookup/names.h"
#include "lookup/process_files.h"
#include "lookup/symbols.h"
#include "lookup/tail_calls.h"
#include "lookup/unwinding.h"

#define DEFAULT_LIMIT 1000
#define DEBUG_FILES "/usr/lib/debug/.build-id"

/* What one search works with. */
struct search {
	const struct fn_query *query;
	struct elf_file file, debug;
	bool has_debug;
	struct symbols symbols;
	struct frame_info frames;
	struct tail_calls tail_calls;
	bool is_go;
	bool has_mangled;		/* so that unmangled names need not be C */
	bool allows_uretprobes;
};

static int no_memory(struct fn_error *error)
{
	return error__set(error, ERR_FAILED, "The agent has no memory left.");
}

static int resolve(struct fn_list *list, const struct fn_query *query, struct fn_error *error)
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
		return list->open_path ? 0 : no_memory(error);
	}
	if (process_files__read(&files, query->pid, error))
		return -1;
	err = process_files__resolve(&files, query->pid, query->binary, &list->binary,
				     &list->open_path, error);
	process_files__free(&files);
	return err;
}

/* The symbols that the distribution keeps apart, if they are installed: for the process too. */
static void open_debug_file(struct search *search)
{
	const char *id = search->file.build_id;
	struct fn_error ignored;
	char path[256];

	if (strlen(id) < 8)
		return;
	for (int in_process = search->query->pid != 0; in_process >= 0 && !search->has_debug;
	     in_process--) {
		if (in_process)
			snprintf(path, sizeof(path), "/proc/%d/root" DEBUG_FILES "/%.2s/%s.debug",
				 search->query->pid, id, id + 2);
		else
			snprintf(path, sizeof(path), DEBUG_FILES "/%.2s/%s.debug", id, id + 2);
		if (!elf_file__open(&search->debug, path, path, &ignored) &&
		    !strcmp(search->debug.build_id, id))
			search->has_debug = true;
		else
			elf_file__close(&search->debug);
	}
}

/*
 * What the process executes next maps the same libraries, at once and before anybody could take
 * a probe off: only its own program's functions are in it alone.
 */
static bool is_program_of(const struct elf_file *file, pid_t pid)
{
	struct stat program, own;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	return !stat(path, &program) && !fstat(file->fd, &own) &&
	       program.st_dev == own.st_dev && program.st_ino == own.st_ino;
}

static bool allows_uretprobes(const struct search *search, const char *path)
{
	struct fn_process_safety process;
	struct file_safety file;

	if (search->query->pid) {
		if (!is_program_of(&search->file, search->query->pid))
			return false;
		fn_process_safety__read(&process, search->query->pid);
		return process.returns;
	}
	if (is_libc(path) || !elf_file__is_complete(&search->file))
		return false;
	elf_file__examine_safety(&search->file, path, &file);
	return file.returns;
}

static int search__open(struct search *search, const struct fn_list *list,
			struct fn_error *error)
{
	if (elf_file__open(&search->file, list->open_path, list->binary, error))
		return -1;
	if (!elf_file__section_of_type(&search->file, SHT_SYMTAB))
		open_debug_file(search);
	if (symbols__load(&search->symbols, &search->file,
			  search->has_debug ? &search->debug : NULL, error))
		return -1;
	if (!search->symbols.nr)
		return error__set(error, ERR_STRIPPED,
			"%.300s has no function symbols; install its debug symbols (build-id %s) or build it without strip.",
			list->binary, search->file.build_id[0] ? search->file.build_id : "none");
	/* Without it, less is known of where parts of functions are. */
	if (frame_info__read(&search->frames, &search->file))
		frame_info__free(&search->frames);
	search->is_go = elf_file__is_go(&search->file);
	for (size_t i = 0; i < search->symbols.nr && !search->has_mangled; i++)
		search->has_mangled = name__language(search->symbols.all[i].name);
	if (tail_calls__init(&search->tail_calls, search->query->pid, list->open_path,
			     &search->file, &search->symbols, &search->frames))
		return no_memory(error);
	search->allows_uretprobes = allows_uretprobes(search, list->binary);
	return 0;
}

static void search__close(struct search *search)
{
	elf_file__close(&search->file);
	if (search->has_debug)
		elf_file__close(&search->debug);
	symbols__free(&search->symbols);
	frame_info__free(&search->frames);
	tail_calls__free(&search->tail_calls);
}

/* By address; of those at one address first what people know it as. */
static int compare_addresses(const void *a, const void *b)
{
	const struct fn_symbol *x = a, *y = b;
	size_t length_x, length_y;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->is_global != y->is_global)
		return x->is_global ? -1 : 1;
	length_x = strlen(x->name);
	length_y = strlen(y->name);
	if (length_x != length_y)
		return length_x < length_y ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int compare_names(const void *name, const void *other)
{
	return strcmp(*(const char *const *)name, *(const char *const *)other);
}

static bool query__wants(const struct fn_query *query, const struct name_pattern *pattern,
			 const char *name)
{
	if (query->names)
		return bsearch(&name, query->names, query->nr_names, sizeof(name), compare_names);
	/* Parts are only found by their exact names, to say what they are. */
	return (!symbol__is_cold_part(name) || !strcmp(name, query->pattern)) &&
	       name_pattern__matches(pattern, name);
}

/* Returns the matching symbols, one an address, or NULL without memory. */
static struct fn_symbol *find_matches(const struct search *search, size_t *nr)
{
	struct name_pattern pattern;
	struct fn_symbol *matches;
	size_t room = 0, unique = 0;

	*nr = 0;
	name_pattern__init(&pattern, search->query->pattern);
	matches = malloc((search->symbols.nr + 1) * sizeof(*matches));
	if (!matches)
		return NULL;
	for (size_t i = 0; i < search->symbols.nr; i++)
		if (query__wants(search->query, &pattern, search->symbols.all[i].name))
			matches[room++] = search->symbols.all[i];
	qsort(matches, room, sizeof(*matches), compare_addresses);
	for (size_t i = 0; i < room; i++) {
		if (unique && matches[unique - 1].address == matches[i].address) {
			if (!matches[unique - 1].size)
				matches[unique - 1].size = matches[i].size;
			continue;
		}
		matches[unique++] = matches[i];
	}
	*nr = unique;
	return matches;
}

static int no_such_function(const struct search *search, const struct fn_list *list,
			    struct fn_error *error)
{
	struct near_names near = { .wanted = search->query->pattern };
	char *pattern = name__printable(search->query->pattern);
	const char *exported = search->symbols.has_locals ? "" :
		"only its exported ones are known, install its debug symbols for others; ";

	for (size_t i = 0; i < search->symbols.nr; i++)
		near_names__offer(&near, search->symbols.all[i].name);
	error->suggestions = near_names__take(&near);
	if (error->suggestions)
		error__set(error, ERR_NO_SUCH_FUNCTION,
			"No function of %.150s is named %.80s; %sdid you mean %.100s?",
			list->binary, pattern ? pattern : "so", exported, error->suggestions[0]);
	else
		error__set(error, ERR_NO_SUCH_FUNCTION,
			"No function of %.150s is named %.80s; %stry a glob such as *name*.",
			list->binary, pattern ? pattern : "so", exported);
	free(pattern);
	return -1;
}

static int name_functions(const struct search *search, const struct fn_symbol *matches,
			  struct fn_list *list, struct fn_error *error)
{
	list->functions = calloc(list->total_matches, sizeof(*list->functions));
	if (!list->functions)
		return no_memory(error);
	for (; list->nr < list->total_matches; list->nr++) {
		const struct fn_symbol *match = &matches[list->nr];
		struct fn_function *function = &list->functions[list->nr];
		char *demangled = name__demangle(match->name, true);

		function->name = name__printable(demangled ? demangled : match->name);
		function->symbol = name__printable(match->name);
		function->aliases = symbols__aliases(&search->symbols, match->address, match->name);
		free(demangled);
		function->address = match->address;
		function->size = match->size;
		function->language = search->is_go ? FN_LANG_GO : name__language(match->name);
		if (function->language == FN_LANG_UNKNOWN && !search->has_mangled)
			function->language = FN_LANG_C;
		if (!function->name || !function->symbol) {
			list->nr++;
			return no_memory(error);
		}
	}
	return 0;
}

static int compare_functions(const void *a, const void *b)
{
	const struct fn_function *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : x->address < y->address ? -1 : x->address > y->address;
}

static int not_probeable(struct fn_function *function, const char *reason)
{
	function->probeable = false;
	free(function->reason);
	function->reason = strdup(reason);
	return function->reason ? 0 : -1;
}

/* Symbols written by hand may have no size: then all up to the next one, or the section's end. */
static uint64_t size_of(const struct search *search, const struct fn_symbol *symbol)
{
	uint64_t next, offset, left;

	if (symbol->size)
		return symbol->size;
	if (!elf_file__offset_of(&search->file, symbol->address, true, &offset, &left))
		return 0;
	next = symbols__next_address(&search->symbols, symbol->address);
	for (size_t i = 0; i < search->file.nr_sections; i++) {
		const Elf64_Shdr *section = &search->file.sections[i];

		if (symbol->address - section->sh_addr < section->sh_size &&
		    section->sh_addr + section->sh_size < next)
			next = section->sh_addr + section->sh_size;
	}
	return next - symbol->address < left ? next - symbol->address : left;
}

static void prefer_uretprobe(const struct search *search, struct fn_function *function,
			     const char *symbol)
{
	bool is_proven = search->allows_uretprobes &&
		(function->language == FN_LANG_C || function->language == FN_LANG_UNKNOWN);

	if (function__uses_return_address(symbol) || !(is_proven || search->query->force_returns))
		return;
	/* A tail call ends a call in either way of seeing it; a uretprobe would see more. */
	for (size_t i = 0; i < function->nr_sites; i++)
		if (function->sites[i].kind != FN_SITE_RET)
			return;
	function->exit_kind = FN_EXIT_URETPROBE;
	function->forced = !is_proven;
	free(function->sites);
	function->sites = NULL;
	function->nr_sites = 0;
}

static int examine(struct search *search, struct fn_function *function)
{
	struct fn_symbol symbol = { .name = function->symbol, .address = function->address,
				    .size = function->size };
	uint64_t size = size_of(search, &symbol), left;
	struct code code;
	int err;

	if (!elf_file__offset_of(&search->file, function->address, true, &function->file_offset,
				 &left))
		return not_probeable(function, "It is not within the executable part of the file.");
	if (search->is_go)
		return not_probeable(function,
			"It is Go code, whose stacks move: probes on it are not supported yet.");
	function->size = size;
	if (symbol__is_cold_part(symbol.name))
		return not_probeable(function,
			"It is only a part of a function, moved away by the compiler; probe that function.");
	if (code__read(&code, &search->file, &search->symbols, &search->frames, &symbol,
		       size))
		err = not_probeable(function, code.reason);
	else
		err = code__describe(&code, function);
	code__free(&code);
	if (function->probeable) {
		prefer_uretprobe(search, function, symbol.name);
		err = tail_calls__follow(&search->tail_calls, function);
	} else {
		free(function->sites);
		function->sites = NULL;
		function->nr_sites = 0;
	}
	return err;
}

static void fn_function__free(struct fn_function *function)
{
	for (size_t i = 0; i < function->nr_goes_on; i++) {
		free(function->goes_on[i].name);
		free(function->goes_on[i].binary);
		free(function->goes_on[i].open_path);
		free(function->goes_on[i].sites);
	}
	free(function->goes_on);
	free(function->name);
	free(function->symbol);
	for (char **alias = function->aliases; alias && *alias; alias++)
		free(*alias);
	free(function->aliases);
	free(function->reason);
	free(function->sites);
	free(function->ranges);
}

static bool is_chosen_at_load(const struct fn_symbol *matches, size_t nr, uint64_t address)
{
	for (size_t low = 0, high = nr; low < high; ) {
		size_t middle = low + (high - low) / 2;

		if (matches[middle].address == address)
			return matches[middle].chosen_at_load;
		if (matches[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

int fn_list__find(struct fn_list *list, const struct fn_query *query, struct fn_error *error)
{
	struct search search = { .query = query, .file.fd = -1 };
	size_t limit = query->limit ? query->limit : DEFAULT_LIMIT;
	struct fn_symbol *matches = NULL;
	int err = -1;

	memset(list, 0, sizeof(*list));
	memset(error, 0, sizeof(*error));
	if (!query->pattern || !query->pattern[0])
		return error__set(error, ERR_BAD_REQUEST,
				     "No function was named; give its name or a glob such as *.");
	if (resolve(list, query, error) || search__open(&search, list, error))
		goto out;
	strcpy(list->build_id, search.file.build_id);
	matches = find_matches(&search, &list->total_matches);
	if (!matches) {
		no_memory(error);
		goto out;
	}
	if (!list->total_matches) {
		no_such_function(&search, list, error);
		goto out;
	}
	if (name_functions(&search, matches, list, error))
		goto out;
	qsort(list->functions, list->nr, sizeof(*list->functions), compare_functions);
	while (list->nr > limit)
		fn_function__free(&list->functions[--list->nr]);
	err = 0;
	for (size_t i = 0; i < list->nr && !err; i++) {
		struct fn_function *function = &list->functions[i];

		if (is_chosen_at_load(matches, list->total_matches, function->address))
			err = not_probeable(function,
				"Which code it stands for is chosen when the program is loaded; probe that code.");
		else
			err = examine(&search, function);
	}
	if (err)
		no_memory(error);
out:
	free(matches);
	search__close(&search);
	if (err)
		fn_list__free(list);
	return err;
}

void fn_list__free(struct fn_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		fn_function__free(&list->functions[i]);
	free(list->functions);
	free(list->binary);
	free(list->open_path);
	memset(list, 0, sizeof(*list));
}

void fn_error__free(struct fn_error *error)
{
	for (char **name = error->suggestions; name && *name; name++)
		free(*name);
	free(error->suggestions);
	error->suggestions = NULL;
}
