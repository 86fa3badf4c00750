// SPDX-License-Identifier: GPL-2.0
#include "lookup/functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"
#include "base/sort.h"
#include "lookup/code.h"
#include "lookup/names.h"
#include "lookup/search.h"
#include "lookup/tail_calls.h"
#include "lookup/unwinding.h"

#define DEFAULT_LIMIT 1000

/* Orders by address; at the same address, the best known name comes first. */
static int compare_addresses(const void *a, const void *b)
{
	const struct fn_symbol *x = a, *y = b;
	size_t length_x, length_y;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->is_doubted != y->is_doubted)
		return x->is_doubted ? 1 : -1;
	if (x->was_chosen != y->was_chosen)
		return x->was_chosen ? -1 : 1;
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
			 const struct fn_symbol *symbol)
{
	const char *name = symbol->name;

	if (query->names)
		return bsearch(&name, query->names, query->nr_names, sizeof(name), compare_names);
	/* Parts are found by their exact names only, in order to say what they are. */
	return (!symbol__is_cold_part(name) || !strcmp(name, query->pattern)) &&
	       (name_pattern__matches(pattern, name) ||
		(symbol->version &&
		 name_pattern__matches_version(pattern, name, symbol->version)));
}

/*
 * Symbols that stand for other code get the address of that code, as far as the process shows it.
 */
static int find_chosen(struct search *search, struct fn_symbol *matches, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct choice *choice;

		if (!matches[i].chosen_at_load)
			continue;
		if (!search->chosen.all && chosen__read(&search->chosen, &search->tail_nodes.files))
			return -1;
		choice = chosen__of(&search->chosen, &matches[i]);
		if (!choice || !choice->address)
			continue;
		matches[i].address = choice->address;
		matches[i].size = choice->size;
		matches[i].chosen_at_load = false;
		matches[i].was_chosen = true;
	}
	return 0;
}

/* Returns the matching symbols, one for each address, or NULL without memory. */
static struct fn_symbol *find_matches(struct search *search, size_t *nr)
{
	struct name_pattern pattern;
	struct fn_symbol *matches;
	size_t room = 0, unique = 0, all;

	*nr = 0;
	name_pattern__init(&pattern, search->query->pattern);
	all = search->symbols.nr + search->symbols.nr_doubted;
	matches = malloc((all + 1) * sizeof(*matches));
	if (!matches)
		return NULL;
	for (size_t i = 0; i < all; i++)
		if (query__wants(search->query, &pattern, &search->symbols.all[i]))
			matches[room++] = search->symbols.all[i];
	if (find_chosen(search, matches, room)) {
		free(matches);
		return NULL;
	}
	sort(matches, room, sizeof(*matches), compare_addresses);
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

static int name_functions(const struct search *search, const struct fn_symbol *matches,
			  struct fn_list *list, struct error *error)
{
	list->functions = calloc(list->total_matches, sizeof(*list->functions));
	if (!list->functions)
		return search__no_memory(error);
	for (; list->nr < list->total_matches; list->nr++) {
		const struct fn_symbol *match = &matches[list->nr];
		struct fn_function *function = &list->functions[list->nr];
		char *demangled = name__demangle(match->name, true);

		function->name = match->was_chosen ?
			chosen__name(&search->symbols, match->name, match->address) :
			name__printable(demangled ? demangled : match->name);
		function->was_chosen = match->was_chosen;
		function->symbol = name__printable(match->name);
		function->aliases = symbols__aliases(&search->symbols, match->address, match->name);
		if (match->was_chosen)
			function->aliases = chosen__add_aliases(&search->chosen, match->address,
								match->name, function->aliases);
		free(demangled);
		function->address = match->address;
		function->size = match->size;
		function->language = search->is_go ? FN_LANG_GO : name__language(match->name);
		if (function->language == FN_LANG_UNKNOWN && !search->has_mangled)
			function->language = FN_LANG_C;
		if (!function->name || !function->symbol) {
			list->nr++;
			return search__no_memory(error);
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

/*
 * A symbol of hand-written code may have no size: it extends to the next one, or the section's end.
 */
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
	/*
	 * A tail call is to end the call in any case, but a uretprobe would see the later return.
	 */
	for (size_t i = 0; i < function->nr_sites; i++)
		if (function->sites[i].kind != FN_SITE_RET)
			return;
	function->exit_kind = FN_EXIT_URETPROBE;
	function->forced = !is_proven;
	free(function->sites);
	function->sites = NULL;
	function->nr_sites = 0;
}

/* Kernels before 6.18 push an emulated call's return address only on one of the two stacks. */
static bool enters_by_call(const struct code *code, const struct fn_function *function)
{
	const struct code_range *range = &code->ranges[0];
	uint64_t entry = range->start + (function->entry_offset - range->file_offset);

	for (size_t i = 0; i < range->nr_insns; i++)
		if (code->insns[range->first_insn + i].address == entry)
			return code->insns[range->first_insn + i].kind == CODE_CALL;
	return true;
}

static int examine(struct search *search, struct fn_function *function)
{
	struct fn_symbol symbol = { .name = function->symbol, .address = function->address,
				    .size = function->size };
	const struct fn_symbol *chosen = function->was_chosen ?
		symbols__at(&search->symbols, function->address) : NULL;
	uint64_t size = size_of(search, &symbol), left;
	const char *reason;
	struct code code;
	int err;

	/* Its parts are named after the code, not after the symbol that stands for it. */
	if (chosen)
		symbol.name = chosen->name;
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
	if (!err && function->probeable &&
	    (reason = tail_nodes__reason_against(&search->tail_nodes, 0, &code)))
		err = not_probeable(function, reason);
	if (!err && function->probeable && search->has_shadow_stacks &&
	    enters_by_call(&code, function))
		err = not_probeable(function,
			"It begins with a call, and the process has shadow stacks, which not every kernel keeps in step with a probe there.");
	code__free(&code);
	if (function->probeable) {
		prefer_uretprobe(search, function, symbol.name);
		err = tail_calls__follow(&search->tail_nodes, function);
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

static const struct fn_symbol *match_at(const struct fn_symbol *matches, size_t nr,
					uint64_t address)
{
	size_t at = partition_point(nr, i, matches[i].address < address);

	return at < nr && matches[at].address == address ? &matches[at] : NULL;
}

static const char *why_not_chosen(const struct search *search, uint64_t address)
{
	if (!search->query->pid)
		return "Which code it stands for is chosen when a program loads it: look in a process that has, or probe that code.";
	for (size_t i = 0; i < search->chosen.nr; i++)
		if (search->chosen.all[i].symbol->address == address &&
		    search->chosen.all[i].is_elsewhere)
			return "It stands for code that is in no file, as what the kernel puts into each process, which can't be probed.";
	return "Which code it stands for shows once this process has called it through a slot that its linker fills, which it has not so far: probe that code.";
}

int fn_list__find(struct fn_list *list, const struct fn_query *query, struct error *error)
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
	if (search__resolve(list, query, error) || search__open(&search, list, error))
		goto out;
	strcpy(list->build_id, search.file.build_id);
	matches = find_matches(&search, &list->total_matches);
	if (!matches) {
		search__no_memory(error);
		goto out;
	}
	if (!list->total_matches) {
		search__not_found(&search, list, error);
		goto out;
	}
	if (name_functions(&search, matches, list, error))
		goto out;
	sort(list->functions, list->nr, sizeof(*list->functions), compare_functions);
	while (list->nr > limit)
		fn_function__free(&list->functions[--list->nr]);
	err = 0;
	for (size_t i = 0; i < list->nr && !err; i++) {
		struct fn_function *function = &list->functions[i];
		const struct fn_symbol *match = match_at(matches, list->total_matches,
							 function->address);

		if (match && match->is_doubted)
			err = not_probeable(function,
				"Only a separate debug file says that it begins here, and no table of the file itself: such a place is not changed.");
		else if (match && match->chosen_at_load)
			err = not_probeable(function, why_not_chosen(&search, function->address));
		else
			err = examine(&search, function);
	}
	if (err)
		search__no_memory(error);
	else if (list->nr == 1 && !query->names)
		list->functions[0].inlined_places = search__inlined_places(&search);
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
