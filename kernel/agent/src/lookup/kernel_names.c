// SPDX-License-Identifier: GPL-2.0
#include "lookup/kernel_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"
#include "base/rights.h"
#include "base/sort.h"

#define MAX_BYTES	(64u << 20)

static int compare(const void *a, const void *b)
{
	const struct kernel_name *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* The file has no size: it is read to its end. */
static char *read_text(FILE *file, size_t *length)
{
	size_t room = 16u << 20, got;
	char *text = malloc(room + 1), *grown;

	*length = 0;
	while (text && (got = fread(text + *length, 1, room - *length, file)) > 0) {
		*length += got;
		if (*length < room)
			continue;
		grown = room < MAX_BYTES ? realloc(text, 2 * room + 1) : NULL;
		if (!grown)
			break;
		text = grown;
		room *= 2;
	}
	if (text)
		text[*length] = 0;
	return text;
}

/* "ffffffff81000000 T name	[module]" */
static void add_lines(struct kernel_names *names)
{
	char *line, *rest = names->text, *at;
	uint64_t address;

	while ((line = strsep(&rest, "\n"))) {
		address = strtoull(line, &at, 16);
		if (!address || at[0] != ' ' || !at[1] || !strchr("tTwW", at[1]) || at[2] != ' ')
			continue;
		at[3 + strcspn(at + 3, "\t")] = 0;
		names->all[names->nr++] = (struct kernel_name){ address, at + 3 };
	}
}

/* The kernel shows either no address or all.  Before the code come variables, which may be at 0. */
bool kernel_names__are_shown(void)
{
	unsigned long long address = 0;
	char kind = 0;
	FILE *file;

	rights__lower();
	file = fopen("/proc/kallsyms", "re");
	rights__restore();
	if (!file)
		return false;
	while (fscanf(file, "%llx %c%*[^\n]", &address, &kind) == 2 && !strchr("tT", kind))
		;
	fclose(file);
	return address && strchr("tT", kind);
}

void kernel_names__read(struct kernel_names *names)
{
	size_t length = 0, lines = 1, i;
	FILE *file;

	*names = (struct kernel_names){ 0 };
	rights__lower();
	file = fopen("/proc/kallsyms", "re");
	if (file) {
		names->text = read_text(file, &length);
		fclose(file);
	}
	rights__restore();
	for (i = 0; i < length; i++)
		lines += names->text[i] == '\n';
	if (names->text)
		names->all = malloc(lines * sizeof(*names->all));
	if (!names->all)
		return;
	add_lines(names);
	sort(names->all, names->nr, sizeof(*names->all), compare);
}

void kernel_names__free(struct kernel_names *names)
{
	free(names->text);
	free(names->all);
	*names = (struct kernel_names){ 0 };
}

const struct kernel_name *kernel_names__at(const struct kernel_names *names, uint64_t address)
{
	size_t next = partition_point(names->nr, i, names->all[i].address <= address);

	return next ? &names->all[next - 1] : NULL;
}
