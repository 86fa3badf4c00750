/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that a recording asks for, looked up in the process's files. */
#ifndef KVIEW_PROBES_H
#define KVIEW_PROBES_H

#include "agent.pb-c.h"
#include "lookup/functions.h"
#include "mechanism/mechanism.h"
#include "mechanism/trap/xprobe.h"

struct probes;

/* Looks up what a checked request asks for.  NULL: error says what is wrong. */
struct probes *probes__find(const Kview__Wire__StartRecordingRequest *request,
			    struct error *error);
/*
 * Puts the probe on the entry of a function where registers still hold its arguments, which may be dearer.  Returns 0, or -1
 * with error filled.
 */
int probes__enter_first(struct probes *probes, size_t index, struct error *error);
void probes__free(struct probes *probes);

/* Whether the calls of a function are followed into something that they go on in. */
bool probes__follows(const struct probes *probes, uint32_t function_id);
/*
 * They are no more, nor are those of others that go on in the same: they end at the jump.  To be
 * attached anew.
 */
void probes__unfollow(struct probes *probes, uint32_t function_id);

/* As avoid of struct mechanism_ops. */
int probes__avoid(struct probes *probes, const struct code_place *place, struct error *error);

/* Looks which files the process has loaded by now that it had not when they were looked up. */
void probes__look_for_loaded(struct probes *probes, pid_t pid);
/* Whether the function's file was not seen loaded so far. */
bool probes__is_awaited(const struct probes *probes, size_t function);

/* Whether they are pairs of static probes, see pairs.h. */
bool probes__are_pairs(const struct probes *probes);
size_t probes__nr(const struct probes *probes);
/* How many places of files get a probe for them, as far as memory suffices to count them. */
size_t probes__nr_places(const struct probes *probes);
/* By function id; valid until probes__free, like the names. */
const struct xprobe_function *probes__functions(const struct probes *probes);
const char *const *probes__names(const struct probes *probes);
/* What was found in each file; a file may stand there more than once.  Returns how many. */
size_t probes__lists(const struct probes *probes, const struct fn_list **lists);

#endif
