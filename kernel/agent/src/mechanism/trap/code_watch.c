// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lookup/loader.h"
#include "mechanism/trap/code_watch.h"
#include "mechanism/trap/places.h"
#include "mechanism/trap/trials.h"

/* Where it is refused for filters, safety says so from then on. */
static void judge_filters(struct fn_process_safety *safety, pid_t pid)
{
	const char *filtered;

	if (!safety->returns || trial__filters_pass())
		return;
	filtered = fn_process_safety__filtered(safety, pid);
	if (!filtered)
		return;
	safety->returns = false;
	snprintf(safety->reason, sizeof(safety->reason), "%s", filtered);
}

/* NULL: no filter will judge the way back.  Where the code gave doubt it was not read to its end: it may set one. */
static const char *why_not_forced(const struct fn_process_safety *safety, pid_t pid)
{
	const char *filtered;

	if (trial__filters_pass())
		return NULL;
	filtered = fn_process_safety__filtered(safety, pid);
	if (filtered || safety->one_stack)
		return filtered;
	return "This kernel has a system call filter judge the way back from a replaced return address, and whether the process sets one can't be told.";
}

int code_watch__may_force(const struct fn_process_safety *safety, pid_t pid, struct error *error)
{
	const char *filtered = why_not_forced(safety, pid);

	return filtered ? error__set(error, ERR_NOT_PROBEABLE,
				     "%s One that does not know it ends the process, so no return probes are forced on it: record it without --return-probes.",
				     filtered) : 0;
}

int code_watch__begin(struct xprobe *xprobe, pid_t pid, const struct fn_known_code *known, bool force,
		      struct error *error)
{
	struct fn_process_safety safety;
	struct loader loader;
	struct place place;
	uint32_t version;
	int failed;

	loader__find(&loader, pid);
	place = (struct place){
		.path = loader.open_path, .file = loader.file, .offset = loader.file_offset,
		.cookie = (uint64_t)loader.r_debug << 32,
	};
	failed = xprobe__watch_code(xprobe, pid, loader.open_path ? &place : NULL, error);
	loader__free(&loader);
	if (failed)
		return -1;
	xprobe__force_returns(xprobe, force);
	/* What comes after this is seen, so what is mapped now is all there is to it. */
	version = xprobe__code_to_prove(xprobe);
	fn_process_safety__read(&safety, pid, known);
	judge_filters(&safety, pid);
	if (!safety.one_stack || !version)
		xprobe__set_one_stack(xprobe, false);
	if (safety.returns && version)
		xprobe__prove_code(xprobe, version);
	return 0;
}

/* Also where it only has not been waited for. */
static bool has_ended(pid_t pid)
{
	char path[32], target[8];

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	return readlink(path, target, sizeof(target)) < 0;
}

/* What has to be known of calls just before. */
static const char *comes_off_late(const struct xprobe *xprobe)
{
	return xprobe__asks_at_entry(xprobe) ? "" :
	       " Until then, for some ms, this kernel went on replacing them.";
}

bool code_watch__look(struct xprobe *xprobe, pid_t pid, const struct fn_known_code *known, bool force,
		      char why[512])
{
	uint32_t version = xprobe__code_to_prove(xprobe);
	struct fn_process_safety safety;

	if (xprobe__has_executed(xprobe)) {
		snprintf(why, 512, "The process executed another program, in which replaced return addresses are not known to be harmless: its probes came off.%s",
			 comes_off_late(xprobe));
		return false;
	}
	if (!version)
		return true;
	if (has_ended(pid))
		return true;
	fn_process_safety__read(&safety, pid, known);
	judge_filters(&safety, pid);
	/* A little late: until then a call that waits on another stack may count as left. */
	if (!safety.one_stack)
		xprobe__set_one_stack(xprobe, false);
	if (safety.returns)
		xprobe__prove_code(xprobe, version);
	if (safety.returns || (force && !why_not_forced(&safety, pid)))
		return true;
	safety.reason[strcspn(safety.reason, "\n")] = 0;
	if (*safety.reason && safety.reason[strlen(safety.reason) - 1] == '.')
		safety.reason[strlen(safety.reason) - 1] = 0;
	snprintf(why, 512, "The process loaded code while it was recorded (%.250s), so that replaced return addresses are no longer known to be harmless: its probes came off.%s",
		 safety.reason, comes_off_late(xprobe));
	return false;
}
