/* SPDX-License-Identifier: GPL-2.0 */
/* The eBPF programs of a survey: loaded, attached, and what they send. */
#ifndef KVIEW_SURVEY_SAMPLER_H
#define KVIEW_SURVEY_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "survey/bpf/survey.h"

struct sampler;

#define SAMPLER_MARGIN_NS	1000000000ULL

struct sampler_opts {
	pid_t pid;
	uint64_t cpu_period_ns;
	uint64_t duration_ns;		/* it stops by itself SAMPLER_MARGIN_NS later */
	/* A stack that was taken. */
	void (*stack)(void *context, const struct survey_stack *stack);
	void *context;
};

/* Begins; copies opts.  NULL: error says why not. */
struct sampler *sampler__new(const struct sampler_opts *opts, struct error *error);
/* Detaches what is attached. */
void sampler__free(struct sampler *sampler);

/* Hands over what has come, or a part of it if there is much to do: no call takes long. */
void sampler__drain(struct sampler *sampler);
/* Whether the process executed another program: what it did before is all. */
bool sampler__is_over(const struct sampler *sampler);
/* Ends, detaches, and hands over the rest, with those that still wait. */
void sampler__end(struct sampler *sampler);

/* When it began and ended. */
uint64_t sampler__begin_ns(const struct sampler *sampler);
uint64_t sampler__end_ns(const struct sampler *sampler);
uint64_t sampler__wait_period_ns(const struct sampler *sampler);
const struct survey_losses *sampler__losses(const struct sampler *sampler);
/* All threads that were seen, after the end.  *tid is 0 at first; false: there are no more. */
bool sampler__next_thread(const struct sampler *sampler, uint32_t *tid, struct survey_thread *thread);

#endif
