// SPDX-License-Identifier: GPL-2.0
/*
 * How many recordings a caller has: of a /proc of its own, in which processes can't be read as far as a
 * caller could bring about, or end meanwhile.  Runs as root, in a mount namespace of its own.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "base/error.h"
#include "permission/caller.h"
#include "permission/crowd.h"

#define CALLER		4711
#define OTHER		4712
#define FIRST		100000
#define UNREADABLE	"\001"	/* a folder in the file's place: it opens, and reading fails */

static const struct caller caller = { .restricted = true, .uid = CALLER, .name = "anna" };

static void put(int pid, const char *name, const char *text)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d", pid);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	if (!text)
		return;
	if (!strcmp(text, UNREADABLE)) {
		mkdir(path, 0755);
		return;
	}
	fd = open(path, O_WRONLY | O_CREAT, 0644);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		perror(path);
	close(fd);
}

/* How many of as many processes like this it takes until one recording more is refused; 0 if none does. */
static int refused_from(const char *comm, const char *status, const char *environ)
{
	struct error error;
	int found = 0;

	if (mount("none", "/proc", "tmpfs", 0, NULL))
		perror("/proc");
	for (int n = 1; !found && n <= 2 * CROWD_MAX_RECORDINGS; n++) {
		put(FIRST + n, "comm", comm);
		put(FIRST + n, "status", status);
		put(FIRST + n, "environ", environ);
		memset(&error, 0, sizeof(error));
		if (crowd__begin_recording(&caller, &error))
			found = n;
		crowd__end_recording();
	}
	umount("/proc");
	return found;
}

static const char *status(int uid)
{
	static char text[64];

	snprintf(text, sizeof(text), "Name:\tkview\nUid:\t%d\t0\t0\t0\n", uid);
	return text;
}

int main(void)
{
	const char *recording = "kview-recording\n";
	int n;

	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) {
		perror("a mount namespace");
		return 1;
	}
	n = refused_from(recording, status(CALLER), NULL);
	check(n == CROWD_MAX_RECORDINGS, "a caller's recordings are counted", n);
	n = refused_from(recording, status(OTHER), NULL);
	check(!n, "another's are not", n);
	n = refused_from("shop\n", status(CALLER), NULL);
	check(!n, "nor are other processes", n);
	n = refused_from(recording, UNREADABLE, NULL);
	check(n == CROWD_MAX_RECORDINGS, "whose they are can't be read: they count", n);
	n = refused_from(recording, "Name:\tkview\n", NULL);
	check(n == CROWD_MAX_RECORDINGS, "whose they are isn't told: they count", n);
	n = refused_from(recording, NULL, NULL);
	check(!n, "they ended meanwhile: they don't", n);
	n = refused_from(UNREADABLE, status(OTHER), NULL);
	check(n == 1, "what a process is can't be read: there may be any number", n);
	n = refused_from(recording, status(0), "HOME=/root");
	check(!n, "root's, by root", n);
	n = refused_from(recording, status(0), "SUDO_UID=4711");
	check(n == CROWD_MAX_RECORDINGS, "root's, by the caller", n);
	n = refused_from(recording, status(0), UNREADABLE);
	check(n == CROWD_MAX_RECORDINGS, "root's, by whom can't be read: they count", n);
	return failed;
}
