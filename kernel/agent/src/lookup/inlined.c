// SPDX-License-Identifier: GPL-2.0
#include "lookup/inlined.h"

#include <stdlib.h>
#include <string.h>

#include "lookup/dwarf.h"

#define MAX_TARGETS 64
#define MAX_DEPTH 128
#define MAX_ORIGINS 4		/* from an instance to what it completes to its declaration */

struct finding {
	struct dwarf dwarf;
	struct inlined *inlined;
	const struct name_pattern *pattern;
	uint64_t targets[MAX_TARGETS];	/* entries of such functions */
	size_t nr_targets;
	/* The functions that enclose the entry, by depth; 0: none at that depth. */
	uint64_t functions[MAX_DEPTH];
};

/* Its linkage name; otherwise its name in the source; NULL if neither is known. */
static const char *name_of(struct dwarf *dwarf, struct dwarf_entry entry)
{
	for (int i = 0; i < MAX_ORIGINS; i++) {
		if (entry.linkage_name || (entry.name && !entry.origin))
			return entry.linkage_name ? entry.linkage_name : entry.name;
		if (!entry.origin || !dwarf__at(dwarf, entry.origin, &entry))
			break;
	}
	return entry.name;
}

static void find_targets(struct finding *finding)
{
	struct dwarf_entry entry;

	dwarf__rewind(&finding->dwarf);
	while (finding->nr_targets < MAX_TARGETS && dwarf__next(&finding->dwarf, &entry)) {
		const char *name;

		if (entry.tag != DW_TAG_SUBPROGRAM || !entry.is_inlined)
			continue;
		name = name_of(&finding->dwarf, entry);
		if (name && name_pattern__matches(finding->pattern, name))
			finding->targets[finding->nr_targets++] = entry.offset;
	}
}

static bool is_target(const struct finding *finding, uint64_t offset)
{
	for (size_t i = 0; i < finding->nr_targets; i++)
		if (finding->targets[i] == offset)
			return true;
	return false;
}

static void add_caller(struct finding *finding, int depth)
{
	struct inlined *inlined = finding->inlined;
	struct dwarf_entry caller;
	const char *name;
	char *demangled;
	size_t nr = 0;

	while (--depth >= 0 && !finding->functions[depth])
		;
	if (depth < 0 || !dwarf__at(&finding->dwarf, finding->functions[depth], &caller))
		return;
	name = name_of(&finding->dwarf, caller);
	if (!name)
		return;
	demangled = name__demangle(name, true);
	for (; inlined->callers[nr]; nr++)
		if (nr == INLINED_CALLERS - 1 ||
		    !strcmp(inlined->callers[nr], demangled ? demangled : name))
			goto out;
	inlined->callers[nr] = name__printable(demangled ? demangled : name);
out:
	free(demangled);
}

static void find_places(struct finding *finding)
{
	struct dwarf_entry entry;

	dwarf__rewind(&finding->dwarf);
	while (dwarf__next(&finding->dwarf, &entry)) {
		if (entry.depth >= MAX_DEPTH)
			continue;
		finding->functions[entry.depth] = entry.tag == DW_TAG_SUBPROGRAM ? entry.offset : 0;
		if (entry.tag != DW_TAG_INLINED_SUBROUTINE || !is_target(finding, entry.origin))
			continue;
		finding->inlined->places++;
		add_caller(finding, entry.depth);
	}
}

void inlined__find(struct inlined *inlined, const struct elf_file *file,
		   const struct name_pattern *pattern)
{
	struct finding finding = { .inlined = inlined, .pattern = pattern };

	*inlined = (struct inlined){ 0 };
	if (!dwarf__read(&finding.dwarf, file)) {
		find_targets(&finding);
		inlined->found = finding.nr_targets;
		if (inlined->found)
			find_places(&finding);
	}
	dwarf__free(&finding.dwarf);
}

void inlined__free(struct inlined *inlined)
{
	for (char **name = inlined->callers; *name; name++)
		free(*name);
	*inlined = (struct inlined){ 0 };
}

char **inlined__take_callers(struct inlined *inlined)
{
	char **names = inlined->callers[0] ? calloc(INLINED_CALLERS + 1, sizeof(*names)) : NULL;

	if (!names)
		return NULL;
	memcpy(names, inlined->callers, sizeof(inlined->callers));
	memset(inlined->callers, 0, sizeof(inlined->callers));
	return names;
}
