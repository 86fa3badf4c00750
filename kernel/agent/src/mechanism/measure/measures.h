/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a recording can count within calls beside their time.  A new measure defines a struct measure and is named in
 * measures.c; its place in mechanism/bpf/measures.h and its eBPF file, which measures.bpf.h there includes, are all else
 * that it needs.
 */
#ifndef KVIEW_MEASURES_H
#define KVIEW_MEASURES_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent.pb-c.h"
#include "base/error.h"
#include "mechanism/bpf/measures.h"

struct bpf_object;

struct quantity {
	enum xp_quantity number;
	const char *id;		/* as files and requests have it, for ever */
	const char *title;	/* for people: "minor page faults" */
	Kview__Wire__Quantity__Unit unit;
	const char *of;		/* of what each is a number, "requests"; NULL: of calls */
};

struct measure {
	enum xp_measure number;
	const char *name;	/* as requests have it, for ever */
	const char *capability;	/* "measure-" and the name */
	const char *does;	/* what it is good for, as a sentence */
	const struct quantity *quantities;
	size_t nr;
	const char *const *programs;	/* that count it elsewhere than at probes, by name; NULL ends them, and is that there are none */
	const char *const *maps;	/* likewise, of these alone */
	const char *others;	/* what other processes pay for these, as a sentence; NULL: nothing */
	/* Why this host does not have it, as a sentence; NULL: it has it.  If it is NULL itself, every host has it. */
	const char *(*missing)(void);
	void (*prepare)(struct bpf_object *object);	/* before its maps are made; NULL: there is nothing to do, as of begin */
	int (*begin)(struct bpf_object *object, struct error *error);	/* after load; returns 0, or -1 with error filled */
	bool never_sleeps;	/* programs that may sleep can't read it */
};

/* All that there are. */
extern const struct measure *const measures_known[XP_MEASURES];

/* Those of a request, each with its bit: 1 << enum xp_measure.  Returns 0, or -1 with error filled. */
int measures__read(const Kview__Wire__StartRecordingRequest *request, uint32_t *chosen, struct error *error);
/* The quantities of those that were chosen: fills list, which has room for XP_QUANTITIES, and returns how many. */
size_t measures__quantities(uint32_t chosen, const struct quantity **list);
/* What others pay for those that were chosen, in sentences behind what is in text. */
void measures__tell_others(uint32_t chosen, char *text, size_t size);
/* Whether any of them does. */
bool measures__cost_others(uint32_t chosen);
/* The list for a message, which the caller frees; NULL: none is chosen, or there is no memory. */
Kview__Wire__Quantity **measures__describe(uint32_t chosen, size_t *nr);

#endif
