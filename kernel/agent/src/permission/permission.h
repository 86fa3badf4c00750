/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the agent may do for its caller (caller.h) under the rules that root configured (policy.h).
 * One agent serves one caller, whoever talks to it: all answers are yes for root, and for an agent
 * that has no rights beyond its caller's, where the kernel decides.
 *
 * A caller with fewer rights than the agent starts no programs through it; measures only
 * processes that the kernel would let that user trace, or that the policy names; and has files
 * read as that user.
 */
#ifndef KVIEW_PERMISSION_H
#define KVIEW_PERMISSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lookup/functions.h"
#include "lookup/process_files.h"

/* What probes may take of the CPU time of a process that only the policy allows. */
#define MAX_BUDGET_OF_OTHERS_PPM	250000U

/* Finds out who calls.  Once, before anything else; -1 with error filled: this agent has to end. */
int permission__init(struct error *error);

/* For whom the agent works; from permission__init on. */
const struct caller *permission__caller(void);
/* Whether requests are served at all; -1 with error filled where the policy is not understood. */
int permission__any(struct error *error);
/* Whether programs may be started and ended. */
int permission__programs(struct error *error);
/* Whether system calls may be measured.  Each process of the host pays for it, at each of its system calls. */
int permission__system_calls(struct error *error);
/* Whether functions of the kernel may be measured. */
int permission__kernel_functions(struct error *error);
/* Whether tracepoints of the kernel may be measured. */
int permission__tracepoints(struct error *error);
/* Whether static probes of programs and libraries may be measured. */
int permission__static_probes(struct error *error);
/* Whether all processes of a cgroup may be measured at once. */
int permission__cgroups(struct error *error);
/* Whether a process may be measured together with its children. */
int permission__children(struct error *error);
/* Whether the kernel views of all users may be told. */
int permission__views(struct error *error);
/*
 * Whether functions of the process may be looked up and measured.  binary is what is looked at in
 * it: in a process that only the policy allows, only files that the process maps may be looked at.
 */
int permission__process(pid_t pid, const char *binary, struct error *error);

/* Whose processes these are, for a capability's detail; false: everybody's. */
bool permission__describe(char *text, size_t size);

/*
 * Does what fn_list__find does, if the process may be measured.  Requests come to fn_list__find
 * only through here (mechanism__prepare comes first).  Files are opened with the caller's rights.
 * Where only the policy allows the process, the files that it maps are opened with the agent's.
 */
int permission__find(struct fn_list *list, const struct fn_query *query, struct error *error);
/*
 * These do what process_files__read and fn_process_safety__read do, under the same rule; -1 with
 * error filled.
 */
int permission__files(struct process_files *files, pid_t pid, struct error *error);
int permission__safety(struct fn_process_safety *safety, pid_t pid, struct error *error);
/*
 * To be put around anything else that is read of a process, or opened in it.  In between, the
 * caller's rights hold if the kernel allows the caller to read the process; the kernel decides at
 * each open.  Otherwise the agent's rights hold, and at the end the policy is asked again about
 * this same process.  begin: -1 with error filled; then end must not be called.  end: true if what
 * was read may not be told.  It has to be freed then, result is -1, and error is filled.
 */
struct reading {
	int process;
	bool by_policy;
};
int reading__begin(struct reading *reading, pid_t pid, const char *binary, struct error *error);
bool reading__end(const struct reading *reading, pid_t pid, int *result, struct error *error);

/*
 * To be put around what is read of a process for a list of all processes, by a descriptor of its
 * folder in /proc.  In between, the caller's rights hold, unless the policy allows the process.
 */
void permission__begin_listed(int process);
void permission__end_listed(void);

/*
 * Holds a process that is going to be recorded.  The caller must be allowed to attach to it, not
 * only to look at it, or the policy must allow it.  While it is held, may_tell says whether what
 * was read of it up to now may be told: it may not once the process is one that the caller may not
 * trace, by executing a setuid program, or is another one.
 */
int permission__hold(pid_t pid, struct error *error);
/*
 * Whether the held process may be put at risk.  -1 with error filled if only the policy allows the
 * process, because the policy allows measuring and nothing more.  risks: what is asked for that can
 * end a process, or slow it without bound.
 */
int permission__risk(bool risks, struct error *error);
/*
 * Whether code may be put into the held process, which the agent does with its own rights.  The
 * policy has to say so, and the caller has to be allowed to trace the process.
 */
int permission__change(struct error *error);
/*
 * To be asked again while all threads of a process stand, just before its code is changed.  The held
 * process: whether pid is still this one, with the same rights as before.  A process that the held
 * one forked: whether the caller may trace it.
 */
bool permission__may_change(pid_t pid, struct error *error);
/* To be put around what is read of the process before that: in between, the caller's rights hold. */
void permission__begin_change(void);
void permission__end_change(void);
/*
 * Whether probes may be put into files that give rights to whoever executes them.  Where the held process is
 * the caller's own it may execute one next, with the probes.
 */
bool permission__raising_files(void);
void permission__release(void);
/*
 * To be called once the probes were attached to the process by its number.  If the held process has
 * ended, the number may have been another process's by then, of which nothing may be told.
 */
void permission__attached(void);
bool permission__may_tell(void);
/*
 * To be called whenever the agent looks at what the held process pays.  If it does not look again
 * within PERMISSION_BLIND_S, whatever keeps it busy, the probes come off.  False: that has happened.
 */
#define PERMISSION_BLIND_S	5
#define PERMISSION_BLIND	"The agent was kept busy and did not look at what the probes cost for more than 5 s, so they were removed: what was measured until then is kept."
bool permission__looks(void);
/* Whether the kernel's side has to stop by itself as the process is given rights. */
bool permission__ends_at_raise(void);

/*
 * What the maps of a recording may take of the kernel's memory, and as much again the states of
 * the process's threads: a 128th of what the host has, and no more than this; 0: as much as
 * it needs.  With CROWD_MAX_RECORDINGS a caller gets a quarter of the host's memory at most.
 */
#define PERMISSION_MAX_MEMORY	(48ULL << 20)
uint64_t permission__memory(void);
/* Whether the agent may go before other programs on a CPU, for its user. */
bool permission__may_go_first(void);

#endif
