// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "code_check.h"
#include "code_note.h"
#include "error.h"
#include "lookup/process_code.h"

int code__check(pid_t pid, struct places *places, struct held_files *files,
		const struct xprobe_function *functions, size_t nr, struct fn_error *error)
{
	const char *name = "The place where the dynamic loader tells of libraries";
	size_t i, j;

	if (code__note(pid, places, files))
		return errno == ENOENT || errno == ESRCH ?
			error__set(error, ERR_PROCESS_ENDED, "Process %d has ended.", pid) :
			error__set(error, ERR_NO_PERMISSION,
				   "The memory of process %d can't be read (%s), so that nothing shows whether its code is that of its files: run the agent as root, or give it CAP_SYS_PTRACE.",
				   pid, strerror(errno));
	for (i = 0; i < places->nr; i++) {
		if (!places->all[i].changed)
			continue;
		for (j = 0; j < nr; j++)
			if (functions[j].id == (places->all[i].cookie & 0xffff))
				name = functions[j].function->name;
		return error__set(error, ERR_NOT_PROBEABLE, "%.150s can't be probed: %s", name,
				  CODE_WAS_CHANGED);
	}
	return 0;
}
