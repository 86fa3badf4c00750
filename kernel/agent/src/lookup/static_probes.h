/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Static probes (USDT) of an ELF file: places that its source names, each a nop in its code.  Notes of the file tell of them,
 * one for each place:
 *
 *	.note.stapsdt	Elf64_Nhdr { 8, bytes, 3 }  "stapsdt\0"
 *			place, address of .stapsdt.base as it was linked, address of a counter or 0	8 bytes each
 *			provider\0 name\0 arguments\0
 *
 * The counter says how many watch the probe: programs look at it before they take pains for its arguments.
 */
#ifndef KVIEW_STATIC_PROBES_H
#define KVIEW_STATIC_PROBES_H

#include "lookup/elf_file.h"
#include "lookup/functions.h"

struct static_place {
	uint64_t file_offset;
	uint64_t counter_offset;	/* in the file; 0: it has none */
	enum fn_insn_cost cost;		/* of its nop, as a probe's in a function */
};

struct static_probe {
	char *label;			/* "provider:name" */
	struct static_place *places;	/* ascending, each once */
	size_t nr;
	const char *reason;		/* one sentence why it can't be measured; NULL: it can */
};

struct static_probes {
	struct static_probe *all;	/* by label */
	size_t nr;
	/* These as in struct fn_list. */
	char *binary, *open_path;
	char build_id[41];
	bool not_loaded;
	struct fn_file_id file;
};

/*
 * Of a file as fn_query names it: a path, or with a pid what that process means by the name.  Returns 0, also where there are
 * none, or -1 with error filled.  Free probes in both cases.
 */
int static_probes__read(struct static_probes *probes, pid_t pid, const char *binary, struct error *error);
/* The addresses of a file's static probes, to be freed.  False without memory. */
bool static_probes__places(const struct elf_file *file, uint64_t **places, size_t *nr);
void static_probes__free(struct static_probes *probes);
/* NULL: there is none of that label. */
const struct static_probe *static_probes__find(const struct static_probes *probes, const char *label);

#endif
