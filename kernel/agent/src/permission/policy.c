// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/proc_text.h"
#include "permission/policy.h"

#define FOLDER		"/etc/kview"
#define NAME		"agent.conf"
#define POLICY_FILE	FOLDER "/" NAME
#define MAX_BYTES	65536
#define SERVICES	"/system.slice/"

static int bad_line(struct error *error, int line, const char *what)
{
	return error__set(error, ERR_NO_PERMISSION,
			  POLICY_FILE " allows nothing, for line %d of it is not understood (%.100s): let an administrator mend it.",
			  line, what);
}

/* Root's, and nobody else's to write. */
static bool is_roots(int fd, mode_t type)
{
	struct stat st;

	return !fstat(fd, &st) && (st.st_mode & S_IFMT) == type && !st.st_uid &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

static bool find_user(const char *name, uid_t *uid)
{
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd *entry;
	bool found = false;

	while (file && !found && (entry = fgetpwent(file)))
		if (!strcmp(entry->pw_name, name)) {
			*uid = entry->pw_uid;
			found = true;
		}
	if (file)
		fclose(file);
	return found;
}

static bool is_in_group(const struct caller *caller, const char *name)
{
	FILE *file = fopen("/etc/group", "re");
	struct group *entry;
	bool found = false;
	size_t i;

	while (file && !found && (entry = fgetgrent(file)))
		for (i = 0; i < caller->nr_groups; i++)
			found |= !strcmp(entry->gr_name, name) &&
				 entry->gr_gid == caller->groups[i];
	if (file)
		fclose(file);
	return found;
}

/* What takes no argument; NULL: it is not such a word. */
static bool *flag_of(struct policy *policy, const char *word)
{
	if (!strcmp(word, "all-processes"))
		return &policy->all_processes;
	if (!strcmp(word, "jumps"))
		return &policy->jumps;
	return strcmp(word, "system-calls") ? NULL : &policy->system_calls;
}

static int take_line(struct policy *policy, const struct caller *caller, char *text, int line,
		     struct error *error)
{
	char *words[5] = { 0 }, *rest = NULL;
	bool mine, *flag;
	uid_t uid;
	int nr = 0;

	text[strcspn(text, "#")] = 0;
	for (char *word = strtok_r(text, " \t\r", &rest); word && nr < 5;
	     word = strtok_r(NULL, " \t\r", &rest))
		words[nr++] = word;
	if (!nr)
		return 0;
	if (nr < 3)
		return bad_line(error, line, "three words at least");
	if (!strcmp(words[0], "user"))
		mine = !strcmp(words[1], caller->name);
	else if (!strcmp(words[0], "group"))
		mine = is_in_group(caller, words[1]);
	else
		return bad_line(error, line, "user or group comes first");
	flag = flag_of(policy, words[2]);
	if (nr != (flag ? 3 : 4))
		return bad_line(error, line, "too few or too many words");
	if (flag) {
		*flag |= mine;
		return 0;
	}
	if (!strcmp(words[2], "processes-of")) {
		if (!find_user(words[3], &uid))
			return bad_line(error, line, "no such user in /etc/passwd");
		if (mine && policy->nr_users == POLICY_MAX)
			return bad_line(error, line, "too many users");
		if (mine)
			policy->users[policy->nr_users++] = uid;
		return 0;
	}
	if (strcmp(words[2], "service"))
		return bad_line(error, line, "all-processes, processes-of USER, service UNIT, system-calls or jumps");
	if (strchr(words[3], '/') || strlen(words[3]) >= sizeof(policy->services[0]) ||
	    words[3][0] == '.' || (mine && policy->nr_services == POLICY_MAX))
		return bad_line(error, line, "no name of a unit");
	if (mine)
		strcpy(policy->services[policy->nr_services++], words[3]);
	return 0;
}

static int take_lines(struct policy *policy, const struct caller *caller, char *text,
		      struct error *error)
{
	char *next;
	int line = 1;

	for (; text; text = next, line++) {
		next = strchr(text, '\n');
		if (next)
			*next++ = 0;
		if (take_line(policy, caller, text, line, error))
			return -1;
	}
	return 0;
}

static int not_trusted(const char *path, struct error *error)
{
	return error__set(error, ERR_NO_PERMISSION,
			  "%s allows nothing, for it can't be read, or is not root's alone to write: let an administrator see to its owner and mode.",
			  path);
}

int policy__read(struct policy *policy, const struct caller *caller, struct error *error)
{
	int folder, fd = -1, result = -1;
	char text[MAX_BYTES + 1];
	ssize_t got, length = 0;

	memset(policy, 0, sizeof(*policy));
	folder = open(FOLDER, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder < 0)
		return errno == ENOENT ? 0 : not_trusted(FOLDER, error);
	fd = openat(folder, NAME, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0) {
		result = errno == ENOENT ? 0 : not_trusted(POLICY_FILE, error);
		goto out;
	}
	if (!is_roots(folder, S_IFDIR)) {
		not_trusted(FOLDER, error);
		goto out;
	}
	if (!is_roots(fd, S_IFREG)) {
		not_trusted(POLICY_FILE, error);
		goto out;
	}
	while (length < MAX_BYTES && (got = read(fd, text + length, MAX_BYTES - length)) > 0)
		length += got;
	text[length] = 0;
	if (length == MAX_BYTES || strlen(text) != (size_t)length)
		bad_line(error, 0, "no text of less than 64 KiB");
	else
		result = take_lines(policy, caller, text, error);
out:
	if (result)
		memset(policy, 0, sizeof(*policy));
	if (fd >= 0)
		close(fd);
	close(folder);
	return result;
}

bool policy__has_processes(const struct policy *policy)
{
	return policy->all_processes || policy->nr_users || policy->nr_services;
}

/* The four ids of a line of /proc/PID/status; false where it is not there. */
static bool read_ids(const char *status, const char *format, uint32_t ids[4])
{
	const char *line = strstr(status, format[0] == 'U' ? "\nUid:" : "\nGid:");

	return line && sscanf(line + 1, format, &ids[0], &ids[1], &ids[2], &ids[3]) == 4;
}

static bool are_all(const uint32_t ids[4], uint32_t id)
{
	return ids[0] == id && ids[1] == id && ids[2] == id && ids[3] == id;
}

/*
 * Whether a process has no rights beyond those of its user: all user ids are that user's, no group came by a setgid
 * program, no capability by a file, and it may be dumped, which it may not after either.  Root's have all anyway.
 */
static bool belongs_to(int process, const char *status, uid_t user)
{
	const char *capabilities = strstr(status, "\nCapPrm:");
	unsigned long long permitted;
	uint32_t users[4], groups[4];
	struct stat st;

	if (!read_ids(status, "Uid: %u %u %u %u", users) || !are_all(users, user) ||
	    !read_ids(status, "Gid: %u %u %u %u", groups) || !are_all(groups, groups[0]))
		return false;
	if (!user)
		return true;
	return capabilities && sscanf(capabilities, "\nCapPrm: %llx", &permitted) == 1 && !permitted &&
	       !fstatat(process, "status", &st, 0) && st.st_uid == user;
}

static bool is_of_service(const char *cgroup, const char *service)
{
	const char *line = strstr(cgroup, "0::" SERVICES);
	size_t length = strlen(service);

	if (!line || (line != cgroup && line[-1] != '\n'))
		return false;
	line += strlen("0::" SERVICES);
	return !strncmp(line, service, length) && (line[length] == '\n' || line[length] == '/');
}

bool policy__allows(const struct policy *policy, int process)
{
	char text[8192];
	size_t i;

	if (policy->all_processes)
		return true;
	if (policy->nr_users)
		proc_text__read(process, "status", text, sizeof(text));
	for (i = 0; i < policy->nr_users; i++)
		if (belongs_to(process, text, policy->users[i]))
			return true;
	if (policy->nr_services)
		proc_text__read(process, "cgroup", text, sizeof(text));
	for (i = 0; i < policy->nr_services; i++)
		if (is_of_service(text, policy->services[i]))
			return true;
	return false;
}
