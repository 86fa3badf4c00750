/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether return addresses may be replaced in the code that a recorded process has, also in what
 * it gets while it is recorded.
 */
#ifndef KVIEW_CODE_WATCH_H
#define KVIEW_CODE_WATCH_H

#include "base/error.h"
#include "mechanism/trap/xprobe.h"

/*
 * Whether return addresses may be replaced without a proof: -1 with error filled where the process's
 * filters of system calls would end it for that.
 */
int code_watch__may_force(const struct fn_process_safety *safety, pid_t pid, struct error *error);

/*
 * Before xprobe__attach.  known: code that others of the recording put into the process; force: without a proof.  Takes back xprobe__set_one_stack where that no
 * longer holds.  Returns 0, or -1 with error filled.
 */
int code_watch__begin(struct xprobe *xprobe, pid_t pid, const struct fn_known_code *known, bool force,
		      struct error *error);

/*
 * To be called when xprobe__children_fd has told of a change, and once after xprobe__attach.
 * False: the process has other code now, of which it is not proven; why is that in a sentence.
 */
bool code_watch__look(struct xprobe *xprobe, pid_t pid, const struct fn_known_code *known, bool force,
		      char why[512]);

#endif
