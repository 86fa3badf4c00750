// SPDX-License-Identifier: GPL-2.0
#include "lookup/tail_nodes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/insn.h"
#include "lookup/code.h"
#include "lookup/names.h"
#include "lookup/unwinding.h"

int tail_nodes__init(struct tail_nodes *nodes, pid_t pid, const char *open_path,
		     struct elf_file *file, struct symbols *symbols, struct frame_info *frames)
{
	*nodes = (struct tail_nodes){ .table_size = 1024 };
	nodes->table = calloc(nodes->table_size, sizeof(*nodes->table));
	return tail_files__init(&nodes->files, pid, open_path, file, symbols, frames) ||
	       !nodes->table ? -1 : 0;
}

void tail_nodes__free(struct tail_nodes *nodes)
{
	for (size_t i = 0; i < nodes->nr; i++) {
		free(nodes->all[i].name);
		free(nodes->all[i].sites);
		free(nodes->all[i].to);
	}
	free(nodes->all);
	free(nodes->table);
	tail_files__free(&nodes->files);
	*nodes = (struct tail_nodes){ 0 };
}

static uint32_t *table_place(const struct tail_nodes *nodes, uint32_t file, uint64_t address)
{
	size_t at = (address * 0x9e3779b97f4a7c15ull ^ file * 0x85ebca6bull) % nodes->table_size;

	while (nodes->table[at] && (nodes->all[nodes->table[at] - 1].address != address ||
				    nodes->all[nodes->table[at] - 1].file != file))
		at = (at + 1) % nodes->table_size;
	return &nodes->table[at];
}

static int grow(struct tail_nodes *nodes)
{
	size_t room = nodes->room ? 2 * nodes->room : 256;
	struct tail_node *all = realloc(nodes->all, room * sizeof(*all));
	uint32_t *table;

	if (!all)
		return -1;
	nodes->all = all;
	nodes->room = room;
	table = calloc(4 * room, sizeof(*table));
	if (!table)
		return -1;
	free(nodes->table);
	nodes->table = table;
	nodes->table_size = 4 * room;
	for (size_t i = 0; i < nodes->nr; i++)
		*table_place(nodes, all[i].file, all[i].address) = i + 1;
	return 0;
}

/* file is NOWHERE if only the name is known.  Takes over name.  Returns the index; NOWHERE if there is no memory. */
static uint32_t add_node(struct tail_nodes *nodes, uint32_t file, uint64_t address, char *name)
{
	uint64_t left;
	struct tail_node *node;

	if (!name || (nodes->nr == nodes->room && grow(nodes))) {
		free(name);
		return NOWHERE;
	}
	node = &nodes->all[nodes->nr];
	*node = (struct tail_node){ .file = file, .address = address, .name = name,
				    .examined = file == NOWHERE };
	if (file != NOWHERE)
		elf_file__offset_of(nodes->files.all[file].file, address, true, &node->file_offset,
				    &left);
	*table_place(nodes, file, address) = ++nodes->nr;
	return nodes->nr - 1;
}

/* The name of what is at an address: its symbol's, or the address where only stack frames tell of a function. */
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

static uint32_t node_at(struct tail_nodes *nodes, uint32_t file, uint64_t address)
{
	uint32_t *known = table_place(nodes, file, address);
	uint64_t size;

	if (*known)
		return *known - 1;
	return add_node(nodes, file, address, name_of(&nodes->files.all[file], address, &size));
}

/* The node of the function that a slot of the process (of the linker's table of jumps to other files) leads to. */
static uint32_t node_in_slot(struct tail_nodes *nodes, uint32_t file, uint64_t slot)
{
	const char *imported;
	uint64_t address;
	uint32_t to;

	if (!tail_file__is_linkers_slot(&nodes->files.all[file], slot))
		return NOWHERE;
	to = tail_files__in_slot(&nodes->files, file, slot, &address);
	if (to != NOWHERE)
		to = node_at(nodes, to, address);
	if (to != NOWHERE)
		return to;
	/* The linker fills a slot at its first call, and some can't be read: then only the function's name is known. */
	imported = tail_files__import(&nodes->files, file, slot);
	if (!imported)
		return NOWHERE;
	address = (uint64_t)file << 48 ^ slot;
	return *table_place(nodes, NOWHERE, address) ?
	       *table_place(nodes, NOWHERE, address) - 1 :
	       add_node(nodes, NOWHERE, address, name__printable(imported));
}

/* The target of the direct jump at an address; 0 if there is no such jump. */
static uint64_t target_at(const struct elf_file *file, uint64_t address)
{
	struct code_insn insn = { .address = address };
	uint8_t bytes[INSN_MAX_BYTES];
	size_t length = sizeof(bytes);

	while (length && !elf_file__read_at(file, address, bytes, length))
		length--;
	return length && insn__decode(&insn, bytes, length) ? insn.target : 0;
}

uint32_t tail_nodes__of_site(struct tail_nodes *nodes, uint32_t file, const struct fn_site *site)
{
	uint64_t target = target_at(nodes->files.all[file].file, site->address), slot;
	uint32_t to;

	switch (site->kind) {
	case FN_SITE_JUMP: case FN_SITE_JUMP_COND:
		to = node_at(nodes, file, target);
		if (to == NOWHERE &&
		    insn__slot_of_jump(nodes->files.all[file].file, target, &slot))
			to = node_in_slot(nodes, file, slot);
		return to;
	case FN_SITE_JUMP_MEM:
		return insn__slot_of_jump(nodes->files.all[file].file, site->address, &slot) ?
		       node_in_slot(nodes, file, slot) : NOWHERE;
	default:
		return NOWHERE;
	}
}

const char *tail_nodes__reason_against(struct tail_nodes *nodes, uint32_t file,
				       const struct code *code)
{
	const char *reason = NULL;

	for (size_t i = 0; i < code->nr_ranges && !reason; i++)
		reason = tail_files__reason_against(&nodes->files, file, code->ranges[i].start,
						    code->ranges[i].end - code->ranges[i].start);
	return reason;
}

int tail_nodes__examine(struct tail_nodes *nodes, uint32_t index)
{
	struct tail_file *in = &nodes->files.all[nodes->all[index].file];
	struct fn_function function = { .address = nodes->all[index].address,
					.file_offset = nodes->all[index].file_offset };
	struct fn_symbol symbol = { .address = function.address };
	const struct fn_symbol *known = symbols__at(in->symbols, function.address);
	struct code code;
	const char *reason;
	int err = 0;

	nodes->all[index].examined = true;
	free(name_of(in, function.address, &symbol.size));
	symbol.name = known ? known->name : "";
	if (!symbol.size || function__uses_return_address(symbol.name))
		return 0;
	if (code__read(&code, in->file, in->symbols, in->frames, &symbol, symbol.size))
		function.reason = strdup(code.reason);
	else if ((reason = tail_nodes__reason_against(nodes, nodes->all[index].file, &code)))
		function.reason = strdup(reason);
	else
		err = code__find_sites(&code, &function);
	code__free(&code);
	if (!err && !function.reason && function.nr_sites <= MAX_SITES) {
		uint32_t *to = malloc((function.nr_sites + 1) * sizeof(*to));

		for (size_t i = 0; to && i < function.nr_sites; i++)
			to[i] = tail_nodes__of_site(nodes, nodes->all[index].file,
						    &function.sites[i]);
		nodes->all[index].to = to;
		nodes->all[index].known = to;
		nodes->all[index].sites = function.sites;
		nodes->all[index].nr_sites = function.nr_sites;
		function.sites = NULL;
	}
	free(function.sites);
	free(function.reason);
	return err;
}
