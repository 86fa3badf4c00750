/* SPDX-License-Identifier: GPL-2.0 */
/* The stress mix: who takes part, and what they share. */
#ifndef KVIEW_TEST_STRESS_H
#define KVIEW_TEST_STRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

enum { STRESS_CLIENTS = 3, STRESS_BUSY = 4, STRESS_TRACERS = 3 };
enum { STRESS_FOLLOWER = STRESS_CLIENTS + STRESS_BUSY + STRESS_TRACERS + 3, STRESS_ACTORS };
enum { STRESS_FUNCTIONS = 60000 };
enum { STRESS_NAMES = 256, STRESS_LOADS = 4 };

/* The last one is the steady process's; the others' members come and go. */
enum { STRESS_CGROUPS = 3 };
#define STRESS_CGROUP_STEADY	"/sys/fs/cgroup/kv-steady"
extern const char *const stress_cgroup[STRESS_CGROUPS];

#define STRESS_PROBES	"/sys/kernel/debug/kprobes/enabled"

/* In each of them: a program that counts calls by the process in no view. */
enum { STRESS_WATCH_FD = 3 };

/* What is done at random, and counted. */
enum stress_kind {
	DID_ATTACHED, DID_CGROUPS, DID_SETS, DID_PROGRAMS,			/* by clients */
	DID_FOLLOWED,			/* through all functions of the kernel */
	DID_REFUSED, DID_NO_MEMORY,	/* to clients: in all, and for want of memory */
	DID_MOVED,			/* from cgroup to cgroup */
	DID_FUNCTIONS, DID_KPROBES, DID_EVENTS,				/* by other tracers */
	DID_PROBED, DID_LABELS, DID_CALLS, DID_MODULES, DID_ALL_OFF,	/* by who patches */
	DID_LIVEPATCHED, DID_KILLED, DID_KINDS,
};

/* In memory that all of them share. */
struct stress {
	pid_t pid[STRESS_ACTORS];
	atomic_bool closed;		/* clients must leave the module alone */
	atomic_bool probes_off;		/* all kprobes may be switched off */
	atomic_bool following;		/* somebody hooks all functions, which takes long: he is spared */
	bool thorough;			/* what takes many seconds is done again and again */
	unsigned int nnames;		/* functions picked at random */
	char name[STRESS_NAMES][64];
	unsigned int nfunctions;	/* all of them; 0: nobody is followed through them */
	uint64_t function[STRESS_FUNCTIONS];
	pid_t steady;			/* the process in a view whose counts are exact */
	unsigned int nloads;		/* instructions of tracepoints that views override */
	char load[STRESS_LOADS][160];
	atomic_ulong done[DID_KINDS];
	atomic_ulong lacks;		/* bits of kinds that were not done often enough yet, in this round */
};

typedef void (*stress_actor_t)(struct stress *s, int nr, unsigned int seed);

/* Each returns only to be killed. */
void stress_busy(struct stress *s, int nr, unsigned int seed);
void stress_client(struct stress *s, int nr, unsigned int seed);
void stress_follower(struct stress *s, int nr, unsigned int seed);
void stress_tracer(struct stress *s, int nr, unsigned int seed);
void stress_patcher(struct stress *s, int nr, unsigned int seed);
void stress_live_patcher(struct stress *s, int nr, unsigned int seed);
void stress_patched_back(void);
void stress_somewhere(unsigned int *seed);	/* into a cgroup, which may be in a view, or out of all */
bool stress_live_patches(const struct stress *s);
void stress_hog(struct stress *s, int nr, unsigned int seed);

/* What the module may refuse, by errno: it is counted; for anything else the case fails. */
void stress_refused(struct stress *s, const char *what);

/* Those whose counts are exact; a program that counts calls by the one in no view. */
int steady_start(void);
pid_t steady_pid(void);
void steady_stop(void);
/* A round, while the module is loaded. */
/* Unless @probes_off another tracer counts the same calls by a kprobe. */
void steady_begin(bool probes_off);
void steady_step(void);
/* Has each of those that are counted done all that it does, in this round? */
bool steady_counted(void);
void steady_end(void);
void steady_figure(void);

/* 0..n-1 */
static inline unsigned int pick(unsigned int *seed, unsigned int n)
{
	return (unsigned int)rand_r(seed) % n;
}

/* One whose members come and go. */
static inline const char *stress_a_cgroup(unsigned int *seed)
{
	return stress_cgroup[pick(seed, STRESS_CGROUPS - 1)];
}

#endif /* KVIEW_TEST_STRESS_H */
