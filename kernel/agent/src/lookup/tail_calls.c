// SPDX-License-Identifier: GPL-2.0
#include "tail_calls.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../arch/insn.h"
#include "code.h"
#include "names.h"
#include "slots.h"
#include "unwinding.h"

#define MAX_FILES 64
#define MAX_CONTINUATIONS 16
#define MAX_SITES 256
#define MAX_DEPTH 8
#define NOWHERE UINT32_MAX

struct tail_file {
	struct elf_file *file;
	struct symbols *symbols;
	struct frame_info *frames;
	struct slots slots;
	bool slots_read, is_own;
	const struct mapped_file *mapped;	/* NULL: not known where */
	char *open_path;
	uint64_t bias;			/* of addresses in the process */
};

struct tail_node {
	uint32_t file;
	uint64_t address, file_offset;
	char *name;
	bool examined, known;		/* known: sites are all its ends */
	struct fn_site *sites;
	size_t nr_sites;
	uint32_t *to;			/* the node that each site leads to, or NOWHERE */
};

/* The difference of addresses in the process to those in the file; false if not to be told. */
static bool find_bias(const struct elf_file *file, const struct mapped_file *mapped, uint64_t *bias)
{
	for (size_t i = 0; i < file->nr_segments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		uint64_t page = segment->p_offset & ~4095ull;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
		    mapped->offset < page || mapped->offset >= segment->p_offset + segment->p_filesz)
			continue;
		*bias = mapped->start - (segment->p_vaddr + (mapped->offset - segment->p_offset));
		return true;
	}
	return false;
}

int tail_calls__init(struct tail_calls *calls, pid_t pid, const char *open_path,
		     struct elf_file *file, struct symbols *symbols, struct frame_info *frames)
{
	struct fn_error error = { 0 };
	struct tail_file *own;
	struct stat st;

	*calls = (struct tail_calls){ .pid = pid };
	calls->files = calloc(MAX_FILES, sizeof(*calls->files));
	calls->table_size = 1024;
	calls->table = calloc(calls->table_size, sizeof(*calls->table));
	if (!calls->files || !calls->table)
		return -1;
	own = &calls->files[calls->nr_files++];
	*own = (struct tail_file){ .file = file, .symbols = symbols, .frames = frames,
				   .is_own = true };
	if (!pid || process_files__read(&calls->maps, pid, &error) || stat(open_path, &st))
		return 0;
	for (size_t i = 0; i < calls->maps.nr && !own->mapped; i++)
		if (calls->maps.all[i].is_executable && calls->maps.all[i].inode == st.st_ino &&
		    find_bias(file, &calls->maps.all[i], &own->bias))
			own->mapped = &calls->maps.all[i];
	return 0;
}

static void tail_file__close(struct tail_file *file)
{
	slots__free(&file->slots);
	free(file->open_path);
	if (file->is_own)
		return;
	if (file->file)
		elf_file__close(file->file);
	if (file->symbols)
		symbols__free(file->symbols);
	if (file->frames)
		frame_info__free(file->frames);
	free(file->file);
	free(file->symbols);
	free(file->frames);
}

void tail_calls__free(struct tail_calls *calls)
{
	for (size_t i = 0; i < calls->nr_files; i++)
		tail_file__close(&calls->files[i]);
	for (size_t i = 0; i < calls->nr_nodes; i++) {
		free(calls->nodes[i].name);
		free(calls->nodes[i].sites);
		free(calls->nodes[i].to);
	}
	free(calls->files);
	free(calls->nodes);
	free(calls->table);
	process_files__free(&calls->maps);
	*calls = (struct tail_calls){ 0 };
}

/* Returns its index, or NOWHERE where it can't be read, or there are too many. */
static uint32_t open_mapped(struct tail_calls *calls, const struct mapped_file *mapped)
{
	struct tail_file *to = &calls->files[calls->nr_files];
	struct fn_error error = { 0 };

	for (size_t i = 0; i < calls->nr_files; i++)
		if (calls->files[i].mapped == mapped)
			return calls->files[i].file ? i : NOWHERE;
	if (calls->nr_files == MAX_FILES)
		return NOWHERE;
	calls->nr_files++;
	to->mapped = mapped;
	to->open_path = mapped_file__open_path(mapped, calls->pid);
	to->file = calloc(1, sizeof(*to->file));
	to->symbols = calloc(1, sizeof(*to->symbols));
	to->frames = calloc(1, sizeof(*to->frames));
	if (to->open_path && to->file && to->symbols && to->frames &&
	    !elf_file__open(to->file, to->open_path, mapped->path, &error) &&
	    !symbols__load(to->symbols, to->file, NULL, &error) &&
	    !frame_info__read(to->frames, to->file) && find_bias(to->file, mapped, &to->bias))
		return calls->nr_files - 1;
	if (to->file)
		elf_file__close(to->file);
	free(to->file);
	to->file = NULL;
	return NOWHERE;
}

static uint32_t *table_place(const struct tail_calls *calls, uint32_t file, uint64_t address)
{
	size_t at = (address * 0x9e3779b97f4a7c15ull ^ file * 0x85ebca6bull) % calls->table_size;

	while (calls->table[at] && (calls->nodes[calls->table[at] - 1].address != address ||
				    calls->nodes[calls->table[at] - 1].file != file))
		at = (at + 1) % calls->table_size;
	return &calls->table[at];
}

static int grow(struct tail_calls *calls)
{
	size_t room = calls->room ? 2 * calls->room : 256;
	struct tail_node *nodes = realloc(calls->nodes, room * sizeof(*nodes));
	uint32_t *table;

	if (!nodes)
		return -1;
	calls->nodes = nodes;
	calls->room = room;
	table = calloc(4 * room, sizeof(*table));
	if (!table)
		return -1;
	free(calls->table);
	calls->table = table;
	calls->table_size = 4 * room;
	for (size_t i = 0; i < calls->nr_nodes; i++)
		*table_place(calls, nodes[i].file, nodes[i].address) = i + 1;
	return 0;
}

/* file: or NOWHERE, for what is known by its name alone.  Takes name; NOWHERE without memory. */
static uint32_t add_node(struct tail_calls *calls, uint32_t file, uint64_t address, char *name)
{
	uint64_t left;
	struct tail_node *node;

	if (!name || (calls->nr_nodes == calls->room && grow(calls))) {
		free(name);
		return NOWHERE;
	}
	node = &calls->nodes[calls->nr_nodes];
	*node = (struct tail_node){ .file = file, .address = address, .name = name,
				    .examined = file == NOWHERE };
	if (file != NOWHERE)
		elf_file__offset_of(calls->files[file].file, address, true, &node->file_offset,
				    &left);
	*table_place(calls, file, address) = ++calls->nr_nodes;
	return calls->nr_nodes - 1;
}

/* How people know it, else its address: it has no symbol, and where functions begin is known. */
static char *name_of(const struct tail_file *in, uint64_t address, uint64_t *size)
{
	const struct fn_symbol *symbol = symbols__at(in->symbols, address);
	const struct frame_function *frame = frame_info__at(in->frames, address);
	char *name, *demangled;

	*size = 0;
	if (symbol) {
		*size = symbol->size;
		if (symbol->chosen_at_load || symbol__is_cold_part(symbol->name))
			return NULL;
		demangled = name__demangle(symbol->name, true);
		name = name__printable(demangled ? demangled : symbol->name);
		free(demangled);
		return name;
	}
	if (in->symbols->has_locals || !frame || frame->start != address)
		return NULL;
	*size = frame->end - frame->start;
	return asprintf(&name, "0x%" PRIx64, address) < 0 ? NULL : name;
}

static uint32_t node_at(struct tail_calls *calls, uint32_t file, uint64_t address)
{
	uint32_t *known = table_place(calls, file, address);
	uint64_t size;

	if (*known)
		return *known - 1;
	return add_node(calls, file, address, name_of(&calls->files[file], address, &size));
}

/* Whether nobody but the dynamic linker writes there: else the next jump may go elsewhere. */
static bool is_linkers(const struct elf_file *file, uint64_t slot)
{
	const Elf64_Shdr *lazy = elf_file__section(file, ".got.plt");

	if (lazy && slot - lazy->sh_addr < lazy->sh_size)
		return true;
	for (size_t i = 0; i < file->nr_segments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];

		if (segment->p_type == PT_GNU_RELRO && slot - segment->p_vaddr < segment->p_memsz)
			return true;
	}
	return false;
}

/* What a slot of the process holds: the function that it jumps to. */
static uint32_t node_in_slot(struct tail_calls *calls, uint32_t file, uint64_t slot)
{
	struct tail_file *from = &calls->files[file];
	const char *imported;
	uint64_t value = 0;
	uint32_t to = NOWHERE;
	char path[64];
	int fd;

	if (!is_linkers(from->file, slot))
		return NOWHERE;
	if (from->mapped) {
		snprintf(path, sizeof(path), "/proc/%d/mem", calls->pid);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0 && pread(fd, &value, sizeof(value), from->bias + slot) !=
		    (ssize_t)sizeof(value))
			value = 0;
		if (fd >= 0)
			close(fd);
	}
	for (size_t i = 0; value && i < calls->maps.nr; i++) {
		const struct mapped_file *mapped = &calls->maps.all[i];

		if (!mapped->is_executable || value < mapped->start || value >= mapped->end)
			continue;
		to = open_mapped(calls, mapped);
		if (to != NOWHERE)
			to = node_at(calls, to, value - calls->files[to].bias);
		break;
	}
	if (to != NOWHERE)
		return to;
	/* Not called yet, or not to be had: by its name alone. */
	from = &calls->files[file];
	if (!from->slots_read)
		slots__read(&from->slots, from->file);
	from->slots_read = true;
	imported = slots__name(&from->slots, slot);
	if (!imported)
		return NOWHERE;
	value = (uint64_t)file << 48 ^ slot;
	return *table_place(calls, NOWHERE, value) ? *table_place(calls, NOWHERE, value) - 1 :
	       add_node(calls, NOWHERE, value, name__printable(imported));
}

/* Where a site leads: target where the jump tells it. */
static uint32_t node_of_site(struct tail_calls *calls, uint32_t file, const struct fn_site *site,
			     uint64_t target)
{
	uint64_t slot;
	uint32_t to;

	switch (site->kind) {
	case FN_SITE_JUMP: case FN_SITE_JUMP_COND:
		to = node_at(calls, file, target);
		if (to == NOWHERE &&
		    insn__slot_of_jump(calls->files[file].file, target, &slot))
			to = node_in_slot(calls, file, slot);
		return to;
	case FN_SITE_JUMP_MEM:
		return insn__slot_of_jump(calls->files[file].file, site->address, &slot) ?
		       node_in_slot(calls, file, slot) : NOWHERE;
	default:
		return NOWHERE;
	}
}

/* The target of the direct jump at an address, 0 if it is none. */
static uint64_t target_at(const struct elf_file *file, uint64_t address)
{
	struct code_insn insn = { .address = address };
	uint8_t bytes[INSN_MAX_BYTES];
	size_t length = sizeof(bytes);

	while (length && !elf_file__read_at(file, address, bytes, length))
		length--;
	return length && insn__decode(&insn, bytes, length) ? insn.target : 0;
}

/* Decodes a function that was met: its ends, and where they lead. */
static int examine(struct tail_calls *calls, uint32_t index)
{
	struct tail_file *in = &calls->files[calls->nodes[index].file];
	struct fn_function function = { .address = calls->nodes[index].address,
					.file_offset = calls->nodes[index].file_offset };
	struct fn_symbol symbol = { .address = function.address };
	const struct fn_symbol *known = symbols__at(in->symbols, function.address);
	struct code code;
	int err = 0;

	calls->nodes[index].examined = true;
	free(name_of(in, function.address, &symbol.size));
	symbol.name = known ? known->name : "";
	if (!symbol.size || function__uses_return_address(symbol.name))
		return 0;
	if (!code__read(&code, in->file, in->symbols, in->frames, &symbol, symbol.size))
		err = code__find_sites(&code, &function);
	else
		function.reason = strdup(code.reason);
	code__free(&code);
	if (!err && !function.reason && function.nr_sites <= MAX_SITES) {
		uint32_t *to = malloc((function.nr_sites + 1) * sizeof(*to));

		for (size_t i = 0; to && i < function.nr_sites; i++)
			to[i] = node_of_site(calls, calls->nodes[index].file, &function.sites[i],
					     target_at(calls->files[calls->nodes[index].file].file,
						       function.sites[i].address));
		calls->nodes[index].to = to;
		calls->nodes[index].known = to;
		calls->nodes[index].sites = function.sites;
		calls->nodes[index].nr_sites = function.nr_sites;
		function.sites = NULL;
	}
	free(function.sites);
	free(function.reason);
	return err;
}

/* The continuations of one function, while they are gathered. */
struct gathering {
	uint32_t nodes[MAX_CONTINUATIONS];
	uint8_t depth[MAX_CONTINUATIONS];
	bool followed[MAX_CONTINUATIONS];
	size_t nr, nr_sites;
};

/* Its place among them, or -1 where there is none left. */
static int gather(struct gathering *all, uint32_t node, uint8_t depth)
{
	if (node == NOWHERE)
		return -1;
	for (size_t i = 0; i < all->nr; i++)
		if (all->nodes[i] == node)
			return i;
	if (all->nr == MAX_CONTINUATIONS)
		return -1;
	all->nodes[all->nr] = node;
	all->depth[all->nr] = depth;
	return all->nr++;
}

/* Those that are followed: all ends known, and each a return or to one that is followed. */
static void decide(const struct tail_calls *calls, struct gathering *all)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = 0; i < all->nr; i++) {
			const struct tail_node *node = &calls->nodes[all->nodes[i]];

			for (size_t k = 0; all->followed[i] && k < node->nr_sites; k++) {
				size_t to = 0;

				if (node->sites[k].kind == FN_SITE_RET)
					continue;
				while (to < all->nr && all->nodes[to] != node->to[k])
					to++;
				if (to < all->nr && all->followed[to])
					continue;
				all->followed[i] = false;
				changed = true;
			}
		}
	}
}

static int copy(const struct tail_calls *calls, struct gathering *all, size_t index,
		struct fn_continuation *to)
{
	const struct tail_node *node = &calls->nodes[all->nodes[index]];
	const struct tail_file *in = node->file == NOWHERE ? NULL : &calls->files[node->file];

	to->name = strdup(node->name);
	to->file_offset = node->file_offset;
	to->followed = all->followed[index];
	if (in && !in->is_own) {
		to->binary = strdup(in->mapped->path);
		to->open_path = strdup(in->open_path);
	}
	if (!to->name || (in && !in->is_own && (!to->binary || !to->open_path)))
		return -1;
	if (!node->known)
		return 0;
	to->sites = malloc((node->nr_sites + 1) * sizeof(*to->sites));
	if (!to->sites)
		return -1;
	to->nr_sites = node->nr_sites;
	for (size_t i = 0; i < node->nr_sites; i++) {
		to->sites[i] = node->sites[i];
		to->sites[i].goes_on = -1;
		for (size_t k = 0; k < all->nr; k++)
			if (node->to[i] == all->nodes[k])
				to->sites[i].goes_on = k;
	}
	return 0;
}

int tail_calls__follow(struct tail_calls *calls, struct fn_function *function)
{
	struct gathering all = { .nr = 0 };

	for (size_t i = 0; i < function->nr_sites; i++) {
		struct fn_site *site = &function->sites[i];

		site->goes_on = gather(&all, node_of_site(calls, 0, site,
				       target_at(calls->files[0].file, site->address)), 1);
	}
	for (size_t i = 0; i < all.nr; i++) {
		uint32_t node = all.nodes[i];

		if (!calls->nodes[node].examined && examine(calls, node))
			return -1;
		all.followed[i] = calls->nodes[node].known &&
				  all.nr_sites + calls->nodes[node].nr_sites <= MAX_SITES;
		if (!all.followed[i])
			continue;
		all.nr_sites += calls->nodes[node].nr_sites;
		for (size_t k = 0; all.depth[i] < MAX_DEPTH && k < calls->nodes[node].nr_sites; k++)
			gather(&all, calls->nodes[node].to[k], all.depth[i] + 1);
	}
	decide(calls, &all);
	if (!all.nr)
		return 0;
	function->goes_on = calloc(all.nr, sizeof(*function->goes_on));
	if (!function->goes_on)
		return -1;
	function->nr_goes_on = all.nr;
	for (size_t i = 0; i < all.nr; i++)
		if (copy(calls, &all, i, &function->goes_on[i]))
			return -1;
	return 0;
}

char **fn_function__goes_on_unseen(const struct fn_function *function, size_t *nr)
{
	char **names = calloc(function->nr_goes_on + 1, sizeof(*names));

	*nr = 0;
	for (size_t i = 0; names && i < function->nr_goes_on; i++)
		if (!function->goes_on[i].followed)
			names[(*nr)++] = function->goes_on[i].name;
	return names;
}
