/* SPDX-License-Identifier: GPL-2.0 */
/* What a recording of static probes consists of; for usdt*.c alone. */
#ifndef KVIEW_USDT_STATE_H
#define KVIEW_USDT_STATE_H

#include "lookup/static_probes.h"
#include "mechanism/figure_views.h"
#include "mechanism/mechanism.h"
#include "mechanism/trap/links.h"
#include "usdt.skel.h"

struct usdt_point {
	char *label;			/* "usdt:postgres:postgresql:query__start" */
	size_t file;			/* an index of files */
	const struct static_probe *probe;	/* in it */
	struct links *links;		/* NULL: not attached */
	struct links_closing *closing;	/* these, once it came off; NULL: it did not */
};

struct usdt {
	struct mechanism base;
	struct usdt_bpf *skel;
	struct usdt_point *points;
	const char **names;		/* base.names */
	struct static_probes *files;
	const char **asked;		/* by which name of the request each was read */
	bool *is_awaited;		/* by file: the process has not been seen to map it */
	size_t nr_files;
	struct held_files *held;
	enum links_kind links_kind;
	struct figure_views views;
	struct xp_cost costs[XP_COST_CLASSES];
	struct bpf_link *frees;
	uint64_t missed_before;
	char note[512];
};

static inline struct usdt *usdt__of(const struct mechanism *mechanism)
{
	return (struct usdt *)mechanism;
}

/* In usdt_points.c.  Looks up all points of a request; usdt__free_points frees what there is by then. */
int usdt__look_up(struct usdt *usdt, const Kview__Wire__StartRecordingRequest *request, struct error *error);
void usdt__free_points(struct usdt *usdt);
/* The places of nr points from first on.  Returns 0, or -1 without memory; the caller frees them. */
int usdt__places(const struct usdt *usdt, size_t first, size_t nr, struct places *places);
/* The last check before traps are attached, see code_check.h. */
int usdt__check_code(struct usdt *usdt, struct error *error);
/* Operations of the mechanism. */
bool usdt__file(const struct mechanism *mechanism, size_t index, Kview__Wire__Binary *message);
void usdt__look_for_loaded(struct mechanism *mechanism);
bool usdt__is_awaited(const struct mechanism *mechanism, size_t point);
int usdt__avoid(struct mechanism *mechanism, const struct code_place *place, struct error *error);

/* Whose hits count from now on; 0: nobody's. */
void usdt__aim(struct usdt *usdt, pid_t pid);
/* An operation of the mechanism, in usdt_price.c. */
void usdt__calibrate(struct mechanism *mechanism, struct calibration *latest);

#endif
