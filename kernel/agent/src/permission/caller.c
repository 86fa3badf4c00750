// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "base/rights.h"
#include "permission/caller.h"

#define NO_ID	((uid_t)-1)

static bool has_capabilities(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2];

	return syscall(SYS_capget, &header, data) || data[0].permitted || data[1].permitted;
}

/* A number as sudo writes it, and nothing else; false also for none. */
static bool parse_id(const char *text, uid_t *id)
{
	unsigned long value;
	char *end;

	if (!text || text[0] < '0' || text[0] > '9' || strlen(text) > 10)
		return false;
	value = strtoul(text, &end, 10);
	*id = value;
	return !*end && value < NO_ID;
}

/* By name, or where that is NULL by uid; not getpwuid, which loads plug-ins. */
static bool find_user(struct caller *caller, const char *name, bool set_group)
{
	FILE *passwd = fopen("/etc/passwd", "re");
	struct passwd *entry;
	bool found = false;

	while (passwd && !found && (entry = fgetpwent(passwd))) {
		found = name ? !strcmp(entry->pw_name, name) : entry->pw_uid == caller->uid;
		if (!found)
			continue;
		caller->uid = entry->pw_uid;
		if (set_group)
			caller->gid = entry->pw_gid;
		snprintf(caller->name, sizeof(caller->name), "%s", entry->pw_name);
	}
	if (passwd)
		fclose(passwd);
	return found;
}

static void add_group(struct caller *caller, gid_t gid)
{
	size_t i;

	for (i = 0; i < caller->nr_groups; i++)
		if (caller->groups[i] == gid)
			return;
	if (caller->nr_groups < CALLER_MAX_GROUPS)
		caller->groups[caller->nr_groups++] = gid;
}

/* Those of /etc/group: a user's groups from elsewhere are not known, and give nothing here. */
static void find_groups(struct caller *caller)
{
	FILE *file = fopen("/etc/group", "re");
	struct group *entry;
	char **member;

	while (file && (entry = fgetgrent(file)))
		for (member = entry->gr_mem; *member; member++)
			if (!strcmp(*member, caller->name))
				add_group(caller, entry->gr_gid);
	if (file)
		fclose(file);
}

static void find_own_groups(struct caller *caller)
{
	gid_t groups[CALLER_MAX_GROUPS];
	int nr = getgroups(CALLER_MAX_GROUPS, groups), i;

	for (i = 0; i < nr; i++)
		add_group(caller, groups[i]);
}

/*
 * Root's own agent, or one that sudo, pkexec or doas made root's.  They set these variables
 * themselves, over what their user has set; root, who may unset them, is not to be kept out.
 */
static int find_behind_root(struct caller *caller, struct error *error)
{
	const char *sudo = getenv("SUDO_UID"), *pkexec = getenv("PKEXEC_UID");
	const char *doas = getenv("DOAS_USER"), *uid = sudo ? sudo : pkexec;

	if (!uid && !doas)
		return 0;
	caller->restricted = caller->by_file = true;
	if ((sudo && pkexec) || (uid && doas) || (uid && !parse_id(uid, &caller->uid)) ||
	    (doas && !find_user(caller, doas, true)))
		return error__set(error, ERR_NO_PERMISSION,
				  "The agent runs as root and can't tell for whom (SUDO_UID, PKEXEC_UID or DOAS_USER): start it through sudo or as root.");
	if (uid && !find_user(caller, NULL, true))
		caller->gid = NO_ID;
	if (sudo && getenv("SUDO_GID") && !parse_id(getenv("SUDO_GID"), &caller->gid))
		caller->gid = NO_ID;
	if (!caller->uid) {
		caller->restricted = false;
		return 0;
	}
	if (caller->gid == NO_ID)
		return error__set(error, ERR_NO_PERMISSION,
				  "The agent runs as root for user %u, whose group it can't tell: see SUDO_GID and /etc/passwd.",
				  caller->uid);
	add_group(caller, caller->gid);
	find_groups(caller);
	return 0;
}

static int caller__identify(struct caller *caller, struct error *error)
{
	uid_t real, effective, saved;
	gid_t real_group, effective_group, saved_group;

	if (getresuid(&real, &effective, &saved) ||
	    getresgid(&real_group, &effective_group, &saved_group))
		return error__set(error, ERR_FAILED, "The agent's own user can't be told: %s.",
				  strerror(errno));
	caller->uid = real;
	caller->gid = real_group;
	if (!real && !effective)
		return find_behind_root(caller, error);
	caller->by_file = getauxval(AT_SECURE) || real != effective || real != saved ||
			  real_group != effective_group || real_group != saved_group;
	caller->restricted = caller->by_file || has_capabilities();
	find_user(caller, NULL, false);
	add_group(caller, real_group);
	find_own_groups(caller);
	return 0;
}

int caller__find(struct caller *caller, struct error *error)
{
	memset(caller, 0, sizeof(*caller));
	if (caller__identify(caller, error))
		return -1;
	if (!caller->restricted)
		return 0;
	if (!caller->name[0])
		snprintf(caller->name, sizeof(caller->name), "%u", caller->uid);
	/* Where it was started is the caller's choice, and it leaves no core there. */
	if (prctl(PR_SET_DUMPABLE, 0) || chdir("/") ||
	    (!geteuid() && setgroups(caller->nr_groups, caller->groups)))
		return error__set(error, ERR_FAILED, "The agent can't take on the groups of %s: %s.",
				  caller->name, strerror(errno));
	rights__limit(caller->uid, caller->gid);
	return 0;
}
