/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEW_SURVEY_UNWIND_H
#define KVIEW_SURVEY_UNWIND_H

#include "survey/bpf/survey.h"
#include "survey/code.h"

#define SURVEY_MAX_FRAMES	512

struct survey_frame {
	bool is_known;			/* otherwise its code is in no file */
	struct survey_place place;
};

/*
 * The frames of a stack, the innermost first.  is_complete: to the start of the thread.  Returns how
 * many there are, SURVEY_MAX_FRAMES at most.
 */
size_t survey_unwind(struct survey_code *code, const struct survey_stack *stack,
		     struct survey_frame *frames, bool *is_complete);

#endif
