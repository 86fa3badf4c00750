// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "base/rights.h"

#ifndef CAP_CHECKPOINT_RESTORE
#define CAP_CHECKPOINT_RESTORE	40
#endif

static bool limited;
static uid_t caller_uid;
static gid_t caller_gid;
static int lowered;

static bool get_capabilities(struct __user_cap_data_struct data[2])
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };

	return !syscall(SYS_capget, &header, data);
}

static bool set_capabilities(const struct __user_cap_data_struct data[2])
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };

	return !syscall(SYS_capset, &header, data);
}

/*
 * Ends the process if a change of rights failed. The agent must never go on without knowing whether
 * it acts with the caller's rights or its own.
 */
static void must(bool done)
{
	if (done)
		return;
	log__line("rights could not be changed: %s", strerror(errno));
	_exit(1);
}

void rights__limit(uid_t uid, gid_t gid)
{
	limited = true;
	caller_uid = uid;
	caller_gid = gid;
}

uid_t rights__caller(void)
{
	return limited ? caller_uid : geteuid();
}

void rights__lower(void)
{
	struct __user_cap_data_struct data[2];

	if (!limited || lowered++)
		return;
	/*
	 * When the effective user id changes from 0, the kernel clears the effective capabilities,
	 * and sets them again when it changes back.
	 */
	if (!geteuid()) {
		must(!setresgid(-1, caller_gid, -1) && !setresuid(-1, caller_uid, -1));
		must(geteuid() == caller_uid && getegid() == caller_gid);
	}
	must(get_capabilities(data));
	data[0].effective = 0;
	/*
	 * With this capability the agent opens mapped files that have been deleted, in processes
	 * that the caller may trace anyway.
	 */
	data[1].effective = data[1].permitted & (1U << (CAP_CHECKPOINT_RESTORE - 32));
	must(set_capabilities(data));
}

void rights__restore(void)
{
	struct __user_cap_data_struct data[2];
	uid_t real, effective, saved;
	int error = errno;

	if (!limited || !lowered || --lowered)
		return;
	must(!getresuid(&real, &effective, &saved));
	if (!saved && effective)
		must(!setresuid(-1, 0, -1) && !setresgid(-1, 0, -1));
	must(get_capabilities(data));
	data[0].effective = data[0].permitted;
	data[1].effective = data[1].permitted;
	must(set_capabilities(data));
	/*
	 * The change of ids may have made this process dumpable, so that its user could look into
	 * it.
	 */
	must(!prctl(PR_SET_DUMPABLE, 0));
	errno = error;
}

bool rights__are_limited(void)
{
	return limited;
}

bool rights__are_lowered(void)
{
	return lowered;
}

bool rights__exceed(void)
{
	return limited && !lowered;
}
