// SPDX-License-Identifier: GPL-2.0
#include "arch.h"
#include "arch/insn.h"
#include "lookup/static_probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "lookup/names.h"
#include "lookup/search.h"

#define OWNER		"stapsdt"
#define NOTE_TYPE	3
/* Real programs have some kilobytes, and each note is looked up among the file's segments. */
#define MAX_NOTES_BYTES	(2u << 20)
#define MAX_NAME_BYTES	120

#define NOT_CODE	"A place of it is not within the executable part of the file."
#define NOT_A_NOP	"A place of it is no instruction that does nothing, as the place of a static probe has to be."
#define NO_COUNTER	"The counter by which the program is told to run it is not within the writable part of the file."
#define TWO_COUNTERS	"Two notes of the same place name different counters."

/* One note. */
struct note {
	char *label;
	uint64_t address;
	struct static_place place;
	const char *reason;
};

struct notes {
	struct note *all;
	size_t nr, room;
};

static void notes__free(struct notes *notes)
{
	size_t i;

	for (i = 0; i < notes->nr; i++)
		free(notes->all[i].label);
	free(notes->all);
}

static bool is_nop(const struct elf_file *file, uint64_t address, enum fn_insn_cost *cost)
{
	static const uint8_t nops[][ARCH_NOP_BYTES] = ARCH_NOPS;
	static const uint8_t lengths[] = ARCH_NOP_LENGTHS;
	uint8_t bytes[ARCH_NOP_BYTES];
	size_t i;

	for (i = 0; i < sizeof(lengths); i++)
		if (elf_file__read_at(file, address, bytes, lengths[i]) && !memcmp(bytes, nops[i], lengths[i])) {
			*cost = insn__cost(bytes, lengths[i]);
			return true;
		}
	return false;
}

/* Where an address can be written to that the kernel adds to; false: it can't. */
static bool counter__find(const struct elf_file *file, uint64_t address, uint64_t *offset)
{
	size_t i;

	for (i = 0; i < file->nr_segments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		uint64_t into = address - segment->p_vaddr;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W) || address < segment->p_vaddr ||
		    into >= segment->p_filesz || segment->p_filesz - into < sizeof(uint16_t) ||
		    segment->p_offset > file->size || segment->p_filesz > file->size - segment->p_offset)
			continue;
		*offset = segment->p_offset + into;
		return *offset % sizeof(uint16_t) == 0;
	}
	return false;
}

static const char *note__locate(struct note *note, const struct elf_file *file, uint64_t address, uint64_t counter)
{
	uint64_t left;

	if (!elf_file__offset_of(file, address, true, &note->place.file_offset, &left))
		return NOT_CODE;
	if (!is_nop(file, address, &note->place.cost))
		return NOT_A_NOP;
	return counter && !counter__find(file, counter, &note->place.counter_offset) ? NO_COUNTER : NULL;
}

/* A name that can be written behind "usdt:BIN:"; NULL: it is none, or there is no memory. */
static char *label__make(const char *provider, const char *name)
{
	size_t provider_bytes = strlen(provider), name_bytes = strlen(name);
	char text[2 * MAX_NAME_BYTES + 2];

	if (!provider_bytes || !name_bytes || provider_bytes > MAX_NAME_BYTES || name_bytes > MAX_NAME_BYTES ||
	    strpbrk(provider, ":*?[\\") || strpbrk(name, ":*?[\\"))
		return NULL;
	snprintf(text, sizeof(text), "%s:%s", provider, name);
	return name__printable(text);
}

/* A note's content, which is followed by a byte that is 0; false: no memory.  What is no note of a probe is passed over. */
static bool notes__take(struct notes *notes, const struct elf_file *file, const Elf64_Shdr *base, const uint8_t *content,
			size_t bytes)
{
	const char *provider, *name, *end = (const char *)content + bytes;
	struct note note = { 0 };
	uint64_t at[3], moved;

	if (bytes <= sizeof(at))
		return true;
	memcpy(at, content, sizeof(at));
	provider = (const char *)content + sizeof(at);
	name = memchr(provider, 0, end - provider);
	if (!name || ++name == end || !memchr(name, 0, end - name))
		return true;
	note.label = label__make(provider, name);
	if (!note.label)
		return true;
	/* Who moved the file's addresses behind the linker, as prelink does, left the notes as they were. */
	moved = base && at[1] ? base->sh_addr - at[1] : 0;
	note.address = at[0] + moved;
	note.reason = note__locate(&note, file, note.address, at[2] ? at[2] + moved : 0);
	if (notes->nr == notes->room) {
		size_t room = notes->room ? 2 * notes->room : 64;
		struct note *all = realloc(notes->all, room * sizeof(*all));

		if (!all) {
			free(note.label);
			return false;
		}
		notes->all = all;
		notes->room = room;
	}
	notes->all[notes->nr++] = note;
	return true;
}

static bool notes__read(struct notes *notes, const struct elf_file *file)
{
	const Elf64_Shdr *base = elf_file__section(file, ".stapsdt.base");
	struct elf_bytes bytes;
	bool has_memory = true;
	uint64_t at = 0;

	if (elf_file__read_section(file, elf_file__section(file, ".note.stapsdt"), MAX_NOTES_BYTES, &bytes))
		return true;
	while (has_memory && at < bytes.length && bytes.length - at >= sizeof(Elf64_Nhdr)) {
		uint64_t name = at + sizeof(Elf64_Nhdr), content;
		Elf64_Nhdr note;

		memcpy(&note, bytes.data + at, sizeof(note));
		content = name + ((note.n_namesz + 3ull) & ~3ull);
		if (content > bytes.length || note.n_descsz > bytes.length - content)
			break;
		if (note.n_type == NOTE_TYPE && note.n_namesz == sizeof(OWNER) && !memcmp(bytes.data + name, OWNER, sizeof(OWNER)))
			has_memory = notes__take(notes, file, base, bytes.data + content, note.n_descsz);
		at = content + ((note.n_descsz + 3ull) & ~3ull);
	}
	free(bytes.data);
	return has_memory;
}

bool static_probes__places(const struct elf_file *file, uint64_t **places, size_t *nr)
{
	struct notes notes = { 0 };
	bool has_memory = notes__read(&notes, file);
	size_t i;

	*nr = 0;
	*places = calloc(notes.nr + 1, sizeof(**places));
	has_memory = has_memory && *places;
	for (i = 0; i < notes.nr && has_memory; i++)
		(*places)[(*nr)++] = notes.all[i].address;
	if (!has_memory) {
		free(*places);
		*places = NULL;
	}
	notes__free(&notes);
	return has_memory;
}

static int compare_notes(const void *a, const void *b)
{
	const struct note *x = a, *y = b;
	int order = strcmp(x->label, y->label);

	if (order)
		return order;
	return x->place.file_offset < y->place.file_offset ? -1 : x->place.file_offset > y->place.file_offset;
}

static void probe__add(struct static_probe *probe, const struct note *note)
{
	const struct static_place *last = probe->nr ? &probe->places[probe->nr - 1] : NULL;

	if (!probe->reason)
		probe->reason = note->reason;
	if (!last || last->file_offset != note->place.file_offset)
		probe->places[probe->nr++] = note->place;
	else if (last->counter_offset != note->place.counter_offset && !probe->reason)
		probe->reason = TWO_COUNTERS;
}

/* Takes the notes' labels, as each probe has the first one of its own. */
static bool probes__group(struct static_probes *probes, struct notes *notes)
{
	size_t i, end;

	sort(notes->all, notes->nr, sizeof(*notes->all), compare_notes);
	probes->all = calloc(notes->nr + 1, sizeof(*probes->all));
	if (!probes->all)
		return false;
	for (i = 0; i < notes->nr; i = end) {
		struct static_probe *probe = &probes->all[probes->nr++];

		for (end = i + 1; end < notes->nr && !strcmp(notes->all[end].label, notes->all[i].label); end++)
			;
		probe->places = calloc(end - i, sizeof(*probe->places));
		if (!probe->places)
			return false;
		for (size_t k = i; k < end; k++)
			probe__add(probe, &notes->all[k]);
		probe->label = notes->all[i].label;
		notes->all[i].label = NULL;
	}
	return true;
}

int static_probes__read(struct static_probes *probes, pid_t pid, const char *binary, struct error *error)
{
	const struct fn_query query = { .pid = pid, .binary = binary };
	struct elf_file file = { .fd = -1 };
	struct notes notes = { 0 };
	struct fn_list list = { 0 };
	int result = -1;

	memset(probes, 0, sizeof(*probes));
	if (search__resolve(&list, &query, error) || elf_file__open(&file, list.open_path, list.binary, error))
		goto out;
	if (elf_file__id(&file, &probes->file)) {
		error__set(error, ERR_FAILED, "%.300s can't be examined: %m.", list.binary);
		goto out;
	}
	strcpy(probes->build_id, file.build_id);
	probes->not_loaded = list.not_loaded;
	if (!notes__read(&notes, &file) || !probes__group(probes, &notes))
		search__no_memory(error);
	else
		result = 0;
out:
	notes__free(&notes);
	elf_file__close(&file);
	probes->binary = list.binary;
	probes->open_path = list.open_path;
	list.binary = list.open_path = NULL;
	fn_list__free(&list);
	return result;
}

void static_probes__free(struct static_probes *probes)
{
	size_t i;

	for (i = 0; i < probes->nr; i++) {
		free(probes->all[i].label);
		free(probes->all[i].places);
	}
	free(probes->all);
	free(probes->binary);
	free(probes->open_path);
	memset(probes, 0, sizeof(*probes));
}

static int compare_label(const void *label, const void *probe)
{
	return strcmp(label, ((const struct static_probe *)probe)->label);
}

const struct static_probe *static_probes__find(const struct static_probes *probes, const char *label)
{
	return probes->nr ? bsearch(label, probes->all, probes->nr, sizeof(*probes->all), compare_label) : NULL;
}
