// SPDX-License-Identifier: GPL-2.0
/* A file is opened for probes only where it is the very one that was looked at. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "check.h"
#include "mechanism/trap/held_files.h"
#include "mechanism/trap/places.h"

static const char own[] = "/proc/self/exe";

/* What comes of a place in this program's own file, if its numbers were found to be these. */
static int failure_of(uint64_t device, uint64_t inode)
{
	struct held_files *files = held_files__new(true);
	struct place place = { .path = own, .file = { .device = device, .inode = inode } };
	int failure = 0;

	errno = 0;
	if (!held_files__path(files, &place))
		failure = errno;
	held_files__free(files);
	return failure;
}

int main(void)
{
	struct stat st;

	if (stat(own, &st))
		return 1;
	check(failure_of(st.st_dev, st.st_ino) == 0, "the file that was looked at", st.st_ino);
	check(failure_of(st.st_dev, st.st_ino + 1) == ESTALE, "another one of its file system", st.st_ino + 1);
	check(failure_of(st.st_dev + 1, st.st_ino) == ESTALE, "one of another file system", st.st_dev + 1);
	check(failure_of(st.st_dev, 0) == ESTALE, "one that had no number", 0);
	check(failure_of(st.st_dev + 1, 0) == ESTALE, "one that had no number on another file system", 0);
	check(failure_of(0, 0) == 0, "a place that nobody looked up", 0);
	return failed;
}
