// SPDX-License-Identifier: GPL-2.0
#include "survey/survey.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/loop.h"
#include "base/usage.h"
#include "survey/survey_state.h"

#define DEFAULT_MS	5000
#define MAX_MS		600000
#define DEFAULT_RATE	499
#define MAX_RATE	4999
/* Start times are told in steps of 10 ms, from two clocks. */
#define START_TIME_ERROR_NS 20000000ULL

/* The kernel's frames stand below those of the process that called it. */
static uint32_t add_kernel(struct survey *s, const struct survey_stack *stack, uint32_t node)
{
	unsigned int nr = stack->nr_kernel < SURVEY_KERNEL_FRAMES ? stack->nr_kernel : SURVEY_KERNEL_FRAMES;
	const struct kernel_name *name;
	struct tree_function function = { .is_kernel = true };
	uint32_t child;

	while (nr-- > 0) {
		name = kernel_names__at(&s->kernel, stack->kernel[nr]);
		function.start = name ? name->address : 0;
		function.symbol = name ? name->name : NULL;
		child = tree__call(&s->tree, node, tree__function(&s->tree, &function));
		if (child == TREE_NONE) {
			s->tree.pooled++;
			break;
		}
		node = child;
	}
	return node;
}

static uint32_t add_frame(struct survey *s, const struct stack_frame *frame, uint32_t node)
{
	struct tree_function function = { .file = 0 };

	if (frame->is_known) {
		function.file = frame->place.file + 1;
		function.symbol = stack_code__symbol(s->code, &frame->place, &function.start);
	}
	return tree__call(&s->tree, node, tree__function(&s->tree, &function));
}

static void count_time(struct survey *s, uint32_t node, uint32_t tid, uint8_t metric, uint64_t ns)
{
	const struct tree_time time = { .node = node, .tid = tid, .metric = metric, .stacks = 1, .ns = ns };

	if (ns)
		tree__count(&s->tree, &time);
}

static void survey__take(void *context, const struct survey_stack *stack)
{
	const struct frame_memory memory = { stack->stack_at, stack->bytes, stack->nr_bytes };
	struct survey *s = context;
	uint32_t node = 0, child;
	bool is_complete = false;
	size_t nr = 0;

	_Static_assert(SURVEY_REGISTERS == FRAME_REGISTERS, "the same registers");
	if (stack->registers[SURVEY_IP])
		nr = stack__unwind(s->code, (const uint64_t *)stack->registers, &memory, s->frames, STACK_MAX_FRAMES, &is_complete);
	while (nr-- > 0) {
		child = add_frame(s, &s->frames[nr], node);
		if (child == TREE_NONE) {
			s->tree.pooled++;
			break;
		}
		node = child;
	}
	node = add_kernel(s, stack, node);
	count_time(s, node, stack->tid, stack->cause, stack->cause_ns);
	count_time(s, node, stack->tid, XP_RUN_QUEUE, stack->queue_ns);
	s->counts.stacks++;
	s->counts.cut += stack->is_cut && !is_complete;
	if (is_complete) {
		s->counts.complete++;
		s->counts.complete_ns += stack->cause_ns + stack->queue_ns;
	}
}

static int check_process(struct survey *s, const Kview__Wire__SurveyRequest *request, struct error *error)
{
	s->process = syscall(SYS_pidfd_open, request->pid, 0);
	if (s->process < 0 && errno != ESRCH)
		return error__set(error, ERR_BAD_REQUEST, "%d is a thread: name its process.", (int)request->pid);
	if (s->process < 0 || ps_process__read(&s->started_as, request->pid))
		return error__set(error, ERR_NO_SUCH_PROCESS, "There is no process %d.", (int)request->pid);
	if (s->started_as.kernel_thread)
		return error__set(error, ERR_NOT_PROBEABLE,
				  "Process %d (%.100s) is a kernel thread: it has no functions of its own.",
				  s->pid, s->started_as.name);
	if (request->start_time_ns && s->started_as.start_time_ns > request->start_time_ns + START_TIME_ERROR_NS)
		return error__set(error, ERR_NO_SUCH_PROCESS,
				  "The process that was chosen has ended, and its number %d is now that of %.100s: choose again.",
				  s->pid, s->started_as.name);
	return 0;
}

static int check_request(const Kview__Wire__SurveyRequest *request, struct error *error)
{
#ifndef __x86_64__
	return error__set(error, ERR_UNSUPPORTED, "Surveys are not available on this processor: probe functions instead.");
#endif
	if (!request->pid)
		return error__set(error, ERR_BAD_REQUEST, "The survey names no process.");
	if (request->duration_ms > MAX_MS)
		return error__set(error, ERR_TOO_MANY, "A survey may last %d s at most: choose less.", MAX_MS / 1000);
	if (request->samples_per_second > MAX_RATE)
		return error__set(error, ERR_TOO_MANY, "A survey may take %d samples a second at most: choose less.",
				  MAX_RATE);
	return 0;
}

struct survey *survey__start(const Kview__Wire__SurveyRequest *request, struct error *error)
{
	unsigned int rate = request->samples_per_second ? request->samples_per_second : DEFAULT_RATE;
	unsigned int duration_ms = request->duration_ms ? request->duration_ms : DEFAULT_MS;
	struct sampler_opts opts = {
		.pid = request->pid, .cpu_period_ns = 1000000000ULL / rate, .stack = survey__take,
		.duration_ns = duration_ms * 1000000ULL,
	};
	struct survey *s;

	if (check_request(request, error))
		return NULL;
	s = opts.context = calloc(1, sizeof(*s));
	if (!s || tree__init(&s->tree)) {
		error__set(error, ERR_FAILED, "Out of memory.");
		goto failed;
	}
	s->process = -1;
	s->pid = request->pid;
	s->cpu_period_ns = opts.cpu_period_ns;
	if (check_process(s, request, error))
		goto failed;
	s->code = stack_code__new(s->pid, error);
	if (!s->code)
		goto failed;
	kernel_names__read(&s->kernel);
	s->agent_cpu_ns = usage__cpu_ns();
	s->realtime_offset_ns = clock__realtime_offset_ns();
	s->sampler = sampler__new(&opts, error);
	if (!s->sampler)
		goto failed;
	s->until_ns = sampler__begin_ns(s->sampler) + opts.duration_ns;
	return s;
failed:
	survey__free(s);
	return NULL;
}

void survey__free(struct survey *s)
{
	if (!s)
		return;
	sampler__free(s->sampler);
	survey_answer__free(&s->answer);
	stack_code__free(s->code);
	kernel_names__free(&s->kernel);
	tree__free(&s->tree);
	ps_process__free(&s->started_as);
	if (s->process >= 0)
		close(s->process);
	free(s);
}

void survey__drain(struct survey *s)
{
	sampler__drain(s->sampler);
	if (!sampler__is_over(s->sampler))
		stack_code__follow(s->code);
}

static bool has_ended(const struct survey *s)
{
	struct pollfd process = { .fd = s->process, .events = POLLIN };

	return poll(&process, 1, 0) == 1;
}

bool survey__is_over(const struct survey *s)
{
	return clock__now_ns() >= s->until_ns || sampler__is_over(s->sampler) || has_ended(s);
}

void survey__end(struct survey *s, const char *note)
{
	s->note = note;
	if (!note && sampler__is_over(s->sampler))
		s->note = "The process executed another program: the survey tells of what it did before.";
	else if (!note && has_ended(s))
		s->note = "The process ended before the survey's time was over.";
	sampler__end(s->sampler);
	s->agent_cpu_ns = usage__cpu_ns() - s->agent_cpu_ns;
}
