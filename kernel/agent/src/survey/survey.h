/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A survey: for a while it collects where the threads of a process spend their time, with stacks.  All
 * that is attached meanwhile are the eBPF programs of sampler.h; the process's code is not changed.
 *
 *	survey__start  ->  drain ...  ->  end  ->  reply  ->  free
 */
#ifndef KVIEW_SURVEY_H
#define KVIEW_SURVEY_H

#include <stdbool.h>

#include "agent.pb-c.h"
#include "base/error.h"

struct survey;

/* Checks the request, whose process is held (permission.h).  NULL: error says why there is none. */
struct survey *survey__start(const Kview__Wire__SurveyRequest *request, struct error *error);
void survey__free(struct survey *survey);

/* To be called every SURVEY_DRAIN_NS. */
#define SURVEY_DRAIN_NS	20000000ULL
void survey__drain(struct survey *survey);
/* Whether it has to end: its time is over, or the process is not the same any more. */
bool survey__is_over(const struct survey *survey);
/* Detaches.  note: one sentence why it ended early, or NULL. */
void survey__end(struct survey *survey, const char *note);
/* After its end.  The message belongs to the survey; NULL: no memory. */
Kview__Wire__SurveyReply *survey__reply(struct survey *survey);

#endif
