/* SPDX-License-Identifier: GPL-2.0 */
/* The plans for functions of one file. */
#ifndef KVIEW_JUMP_FILE_PLANS_H
#define KVIEW_JUMP_FILE_PLANS_H

#include "base/error.h"
#include "decide/plan.h"

struct file_plans {
	struct elf_file file;
	struct symbols symbols;
	struct frame_info frames;
	struct targets targets;
	bool is_open;		/* targets are known */
};

/* Returns 0, or -1 with error.  Close in both cases. */
int file_plans__open(struct file_plans *plans, const char *path, struct error *error);
void file_plans__close(struct file_plans *plans);

/* The function with this name, whose code begins at this place of the file if that is not 0; or NULL. */
const struct fn_symbol *file_plans__function(const struct file_plans *plans, const char *name, uint64_t file_offset);
/* Whether it is code of its own that calls can begin in. */
bool file_plans__is_function(const struct fn_symbol *symbol);

/* Reads the function's code and makes its plan.  Both are to be freed by the caller, code after plan. */
void file_plans__make(struct file_plans *plans, const struct fn_symbol *function, struct code *code,
		      struct plan *plan);

#endif
