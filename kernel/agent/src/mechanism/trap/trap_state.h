/* SPDX-License-Identifier: GPL-2.0 */
/* What a recording by traps consists of; for trap*.c alone. */
#ifndef KVIEW_TRAP_STATE_H
#define KVIEW_TRAP_STATE_H

#include "mechanism/measure/measures.h"
#include "mechanism/mechanism.h"
#include "mechanism/split.h"
#include "mechanism/trap/calibrate.h"
#include "mechanism/trap/probes.h"
#include "mechanism/trap/xprobe.h"
#include "mechanism/trap/xprobe_view.h"

#define MOST_OTHERS 4

struct trap {
	struct mechanism base;
	struct probes *probes;
	struct xprobe *xprobe;
	const struct cgroup *cgroup;	/* as in struct mechanism_load, as is the tree */
	const struct process_tree *tree;
	struct xprobe_view *view;	/* NULL: it is not measured in one */
	struct xp_condition *conditions;	/* by point; NULL: none has any */
	struct splits splits;
	uint32_t measures;	/* 1 << enum xp_measure each */
	struct calibration calibration;
	struct xprobe_function *dropped, *kept;	/* room for all each */
	uint64_t missed_before, threads;	/* threads: that met probes, known once they are off */
	const struct mechanism *others[MOST_OTHERS];	/* that put code into the process */
	size_t nr_others;
	bool force_returns, switches_stacks;
	char waits_note[512];
	char filter_note[1536];
	char why_host[200];		/* why the host's switches are told; "": see struct tracer */
	char note[1024];		/* with the calibration's in it */
	bool charges_crowd;		/* more than one thread met probes, and calls are charged so */
	bool returns_off;		/* probes that replace return addresses came off */
};

/* More than one process is measured: the probes are in all that map the files. */
static inline bool trap__of_group(const struct trap *trap)
{
	return trap->cgroup || trap->tree;
}

static inline struct trap *trap__of(const struct mechanism *mechanism)
{
	return (struct trap *)mechanism;
}

/* What it is asked for, looked up. */
typedef struct probes *trap_find(const Kview__Wire__StartRecordingRequest *request, struct error *error);
/* As find of struct mechanism_kind. */
struct mechanism *trap__new(const Kview__Wire__StartRecordingRequest *request, trap_find *find, struct error *error);
/* Operations of the mechanism. */
void trap__calibrate(struct mechanism *mechanism, struct calibration *latest);
bool trap__reprice(struct mechanism *mechanism);
/* Which calls of each function are measured, by what its figures are split, and what is counted beside time; once the functions are found. */
int trap__read_conditions(struct trap *trap, const Kview__Wire__StartRecordingRequest *request, struct error *error);
/* As xprobe__new, with what tells of switches; once it is known whether the process is in a view. */
struct xprobe *trap__load_xprobe(struct trap *trap, const struct mechanism_load *load, struct xprobe_opts *opts, struct error *error);
/* Adds to filter_note what measures cost others, and why others pay for switches. */
void trap__tell_measures(struct trap *trap);
/* Brings the note up to date. */
void trap__refresh(struct mechanism *mechanism);
uint64_t trap__beside_ns(const struct mechanism *mechanism);
void trap__recheck(struct mechanism *mechanism);
uint64_t trap__uncertain_ns(const struct mechanism *mechanism, uint64_t removed_ns,
			    uint64_t uncertain_ns);

#endif
