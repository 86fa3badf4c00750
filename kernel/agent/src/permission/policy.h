/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What root allows users beyond what they may do by themselves: /etc/kview/agent.conf.
 *
 *	# WHO          NAME   WHAT
 *	user           alice  processes-of shop
 *	group          perf   service nginx.service
 *	group          admins all-processes
 *	group          perf   system-calls
 *	user           alice  jumps
 *
 * Without the file nothing is.  A file that is not root's alone to write, or has a word that is
 * not known, allows nobody anything: what it was meant to forbid can't be known.
 */
#ifndef KVIEW_POLICY_H
#define KVIEW_POLICY_H

#include "permission/caller.h"

#define POLICY_MAX	64

struct policy {
	bool all_processes;
	uid_t users[POLICY_MAX];	/* whose processes may be measured */
	size_t nr_users;
	char services[POLICY_MAX][128];	/* systemd's units of the system */
	size_t nr_services;
	/* Of the processes that the caller may measure: by programs that all processes of the host pass. */
	bool system_calls;
	/* Into processes that the caller may trace: code that measures. */
	bool jumps;
};

/* What it says of the caller.  0 also where there is none; -1 with error filled. */
int policy__read(struct policy *policy, const struct caller *caller, struct error *error);

/* Whether it allows processes beyond the caller's own. */
bool policy__has_processes(const struct policy *policy);

/* Whether the process behind a descriptor of its folder in /proc may be measured. */
bool policy__allows(const struct policy *policy, int process);

#endif
