// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mechanism/tracepoint/tracefs.h"

/* -1: tracefs is not mounted there, or may not be looked at. */
static int open_mounted(const char *path)
{
	int folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (folder >= 0 && faccessat(folder, "available_events", R_OK, AT_EACCESS)) {
		close(folder);
		return -1;
	}
	return folder;
}

/* In no one's tree of folders. */
static int mount_own(void)
{
	int context = syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC), folder = -1, failed;

	if (context < 0)
		return -1;
	if (!syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		folder = syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC,
				 MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
	failed = errno;
	close(context);
	errno = failed;
	return folder;
}

int tracefs__open(struct error *error)
{
	int folder = open_mounted("/sys/kernel/tracing");

	if (folder < 0)
		folder = open_mounted("/sys/kernel/debug/tracing");
	if (folder < 0)
		folder = mount_own();
	if (folder >= 0)
		return folder;
	if (errno == ENODEV)
		return error__set(error, ERR_UNSUPPORTED, "This kernel has no tracefs, by which its tracepoints are named: they can't be measured here.");
	return error__set(error, errno == EPERM || errno == EACCES ? ERR_NO_PERMISSION : ERR_UNSUPPORTED,
			  "The kernel names its tracepoints in tracefs, which could not be read (%s): record as root, or mount it first (mount -t tracefs tracefs /sys/kernel/tracing).",
			  strerror(errno));
}

FILE *tracefs__file(int tracefs, const char *path)
{
	int fd = openat(tracefs, path, O_RDONLY | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (!file && fd >= 0)
		close(fd);
	return file;
}
