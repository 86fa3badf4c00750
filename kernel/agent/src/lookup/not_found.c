// SPDX-License-Identifier: GPL-2.0
/* Why a search found nothing, or less than was meant: inlining, misspelling. */
#include "lookup/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lookup/debug_file.h"
#include "lookup/inlined.h"
#include "lookup/names.h"

#define MAX_BYTES_BY_THE_WAY (32u << 20)

/* Looks in the debug information of the file, or else of its separate debug file. */
static void find_inlined(const struct search *search, const struct fn_list *list,
			 const struct name_pattern *pattern, struct inlined *inlined)
{
	const struct debug_search apart = {
		.file = &search->file, .path = list->binary, .pid = search->query->pid,
	};
	struct elf_file debug;

	inlined__find(inlined, &search->file, pattern);
	if (inlined->found)
		return;
	inlined__free(inlined);
	if (search->has_debug) {
		inlined__find(inlined, &search->debug, pattern);
	} else if (!elf_file__section(&search->file, ".debug_info") &&
		   !debug_file__find(&debug, &apart)) {
		inlined__find(inlined, &debug, pattern);
		elf_file__close(&debug);
	}
}

size_t search__inlined_places(const struct search *search)
{
	const struct elf_file *file = search->has_debug ? &search->debug : &search->file;
	const Elf64_Shdr *section = elf_file__section(file, ".debug_info");
	struct name_pattern pattern;
	struct inlined inlined;
	size_t places;

	name_pattern__init(&pattern, search->query->pattern);
	if (pattern.is_glob || !section || section->sh_size > MAX_BYTES_BY_THE_WAY)
		return 0;
	inlined__find(&inlined, file, &pattern);
	places = inlined.places;
	inlined__free(&inlined);
	return places;
}

static bool was_inlined(const struct search *search, const struct fn_list *list,
			struct error *error)
{
	char callers[200] = "", *wanted;
	struct name_pattern pattern;
	struct inlined inlined;
	bool found;

	name_pattern__init(&pattern, search->query->pattern);
	if (pattern.is_glob)
		return false;
	find_inlined(search, list, &pattern, &inlined);
	found = inlined.found;
	wanted = found ? name__printable(search->query->pattern) : NULL;
	for (size_t i = 0; inlined.callers[i]; i++)
		snprintf(callers + strlen(callers), sizeof(callers) - strlen(callers), "%s%.60s",
			 i ? ", " : "", inlined.callers[i]);
	if (found && inlined.places)
		error__set(error, ERR_NO_SUCH_FUNCTION,
			"%.80s of %.100s was inlined: its code is part of its callers (%s), in %zu place%s; probe one of them, or build it as a function of its own.",
			wanted ? wanted : "It", list->binary, callers, inlined.places,
			inlined.places == 1 ? "" : "s");
	else if (found)
		error__set(error, ERR_NO_SUCH_FUNCTION,
			"%.80s of %.100s was inlined, and no place is left where its code is: probe a caller of it, or build it as a function of its own.",
			wanted ? wanted : "It", list->binary);
	free(wanted);
	if (found)
		error->suggestions = inlined__take_callers(&inlined);
	inlined__free(&inlined);
	return found;
}

/*
 * Makes a wider glob, for names that contain the text: "time*" becomes "*time*".  Returns how many
 * names match.
 */
static size_t widen(const struct search *search, const char *glob, char *wider, size_t size)
{
	size_t begin = strspn(glob, "*"), end = strlen(glob), nr = 0;
	struct name_pattern pattern;

	while (end > begin && glob[end - 1] == '*' && (end < 2 || glob[end - 2] != '\\'))
		end--;
	if (end == begin ||
	    (size_t)snprintf(wider, size, "*%.*s*", (int)(end - begin), glob + begin) >= size)
		return 0;
	name_pattern__init(&pattern, wider);
	for (size_t i = 0; i < search->symbols.nr; i++)
		nr += name_pattern__matches(&pattern, search->symbols.all[i].name);
	return nr;
}

static int glob_not_found(const struct search *search, const struct fn_list *list,
			  const char *shown, const char *exported, struct error *error)
{
	char wider[160];
	size_t nr = widen(search, search->query->pattern, wider, sizeof(wider));
	char *shown_wider = nr ? name__printable(wider) : NULL;

	if (shown_wider)
		error__set(error, ERR_NO_SUCH_FUNCTION,
			"No function of %.150s matches %.80s; %s%zu match%s '%.160s'.",
			list->binary, shown ? shown : "the glob", exported, nr, nr == 1 ? "es" : "",
			shown_wider);
	else
		error__set(error, ERR_NO_SUCH_FUNCTION,
			"No function of %.150s matches %.80s; %slook for another part of its name.",
			list->binary, shown ? shown : "the glob", exported);
	free(shown_wider);
	return -1;
}

int search__not_found(const struct search *search, const struct fn_list *list,
		      struct error *error)
{
	struct near_names near = { .wanted = search->query->pattern };
	char *pattern = name__printable(search->query->pattern);
	struct name_pattern wanted;
	const char *exported = search->symbols.has_locals ? "" :
		"only its exported ones are known, install its debug symbols for others; ";

	if (was_inlined(search, list, error)) {
		free(pattern);
		return -1;
	}
	name_pattern__init(&wanted, search->query->pattern);
	for (size_t i = 0; i < search->symbols.nr; i++)
		near_names__offer(&near, search->symbols.all[i].name);
	error->suggestions = near_names__take(&near);
	if (error->suggestions)
		error__set(error, ERR_NO_SUCH_FUNCTION,
			"No function of %.150s is named %.80s; %sdid you mean %.100s?",
			list->binary, pattern ? pattern : "so", exported, error->suggestions[0]);
	else if (wanted.is_glob)
		glob_not_found(search, list, pattern, exported, error);
	else
		error__set(error, ERR_NO_SUCH_FUNCTION,
			"No function of %.150s is named %.80s; %stry a glob such as '*name*'.",
			list->binary, pattern ? pattern : "so", exported);
	free(pattern);
	return -1;
}
