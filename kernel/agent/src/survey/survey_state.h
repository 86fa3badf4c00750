/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEW_SURVEY_STATE_H
#define KVIEW_SURVEY_STATE_H

#include "lookup/kernel_names.h"
#include "processes/processes.h"
#include "stacks/code.h"
#include "stacks/unwind.h"
#include "survey/sampler.h"
#include "survey/survey.h"
#include "survey/tree.h"

struct survey_counts {
	uint64_t stacks, complete, complete_ns, cut;
};

/* What the reply is made of, besides the survey itself. */
struct survey_answer {
	Kview__Wire__SurveyReply message;
	Kview__Wire__Process process_message;
	Kview__Wire__SurveyQuality quality;
	char **names;			/* of functions */
	size_t nr_names;
	Kview__Wire__Metric (*causes)[SURVEY_METRICS];	/* by thread */
	uint64_t (*waited)[SURVEY_METRICS];
	char **thread_names;
	size_t nr_threads;
};

struct survey {
	pid_t pid;
	int process;			/* a pidfd */
	struct ps_process started_as;
	struct sampler *sampler;
	struct stack_code *code;
	struct kernel_names kernel;
	struct tree tree;
	struct survey_counts counts;
	struct stack_frame frames[STACK_MAX_FRAMES];
	uint64_t cpu_period_ns, until_ns;
	int64_t realtime_offset_ns;
	uint64_t agent_cpu_ns;		/* at the beginning; from the end on: in between */
	const char *note;
	struct survey_answer answer;
};

/* Frees what survey__reply made. */
void survey_answer__free(struct survey_answer *answer);

#endif
