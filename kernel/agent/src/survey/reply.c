// SPDX-License-Identifier: GPL-2.0
/* What a survey found, as a message. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message_list.h"
#include "lookup/names.h"
#include "recording/provenance.h"
#include "survey/scale.h"
#include "survey/survey_state.h"

/* Letters of all symbols that are told: functions beyond that have their address as name, as those without a symbol. */
#define MAX_SYMBOL_LETTERS (4U << 20)

void survey_answer__free(struct survey_answer *answer)
{
	Kview__Wire__SurveyReply *message = &answer->message;
	size_t i;

	for (i = 0; i < 2 * answer->nr_names && answer->names; i++)
		free(answer->names[i]);
	for (i = 0; i < answer->nr_threads && answer->thread_names; i++)
		free(answer->thread_names[i]);
	free(answer->names);
	free(answer->thread_names);
	free(answer->causes);
	free(answer->waited);
	free(message->files);
	free(message->functions);
	free(message->times);
	free(message->threads);
	*answer = (struct survey_answer){ 0 };
}

/* Messages hold valid text alone, and a path that is changed names nothing. */
static bool is_text(const char *path)
{
	char *printable = name__printable(path);
	bool is = printable && !strcmp(printable, path);

	free(printable);
	return is;
}

static int fill_files(struct survey *s, Kview__Wire__SurveyReply *reply)
{
	size_t nr = stack_code__nr_files(s->code), i;

	reply->files = message_list__new(nr, sizeof(**reply->files));
	if (!reply->files)
		return -1;
	for (i = 0; i < nr; i++) {
		const struct stack_file *file = stack_code__file(s->code, i);

		kview__wire__binary__init(reply->files[i]);
		reply->files[i]->path = is_text(file->path) ? file->path : "";
		reply->files[i]->build_id = file->is_open ? (char *)file->elf.build_id : "";
	}
	reply->n_files = nr;
	return 0;
}

/* Both are texts that can be shown, whatever the file says. */
static int name_function(const struct tree_function *function, bool by_symbol, char **name, char **symbol)
{
	char *demangled, address[32];

	if (by_symbol) {
		demangled = function->is_kernel ? NULL : name__demangle(function->symbol, true);
		*name = name__printable(demangled ? demangled : function->symbol);
		free(demangled);
		*symbol = function->is_kernel ? strdup("") : name__printable(function->symbol);
	} else {
		snprintf(address, sizeof(address), "0x%llx", (unsigned long long)function->start);
		*name = strdup(function->file ? address : "");
		*symbol = strdup("");
	}
	return *name && *symbol ? 0 : -1;
}

static int fill_functions(struct survey *s, Kview__Wire__SurveyReply *reply)
{
	struct survey_answer *answer = &s->answer;
	size_t nr = s->tree.nr_functions, room = MAX_SYMBOL_LETTERS, length, i;

	answer->names = calloc(2 * nr + 1, sizeof(*answer->names));
	answer->nr_names = nr;
	reply->functions = message_list__new(nr, sizeof(**reply->functions));
	if (!answer->names || !reply->functions)
		return -1;
	for (i = 0; i < nr; i++) {
		const struct tree_function *function = &s->tree.functions[i];
		Kview__Wire__SurveyFunction *message = reply->functions[i];
		bool by_symbol = function->symbol && (length = strlen(function->symbol)) <= room;

		if (by_symbol)
			room -= length;
		if (name_function(function, by_symbol, &answer->names[2 * i], &answer->names[2 * i + 1]))
			return -1;
		kview__wire__survey_function__init(message);
		message->name = answer->names[2 * i];
		message->symbol = answer->names[2 * i + 1];
		message->file = function->file;
		message->kernel = function->is_kernel;
		message->address = function->file && !function->is_kernel ? function->start : 0;
		if (by_symbol && !function->is_kernel)
			message->language = (Kview__Wire__Language)name__language(function->symbol);
	}
	reply->n_functions = nr;
	return 0;
}

static int fill_times(struct survey *s, Kview__Wire__SurveyReply *reply)
{
	size_t i;

	reply->times = message_list__new(s->tree.nr_times, sizeof(**reply->times));
	if (!reply->times)
		return -1;
	for (i = 0; i < s->tree.nr_times; i++) {
		const struct tree_time *time = &s->tree.times[i];
		Kview__Wire__SurveyTime *message = reply->times[i];

		kview__wire__survey_time__init(message);
		message->node = time->node;
		message->tid = time->tid;
		message->metric = (Kview__Wire__Metric)time->metric;
		message->time_ns = time->ns;
		message->stacks = time->stacks;
	}
	reply->n_times = s->tree.nr_times;
	/* No index in functions: the start of all threads. */
	s->tree.node_functions[0] = 0;
	reply->n_parents = reply->n_node_functions = s->tree.nr_nodes;
	reply->parents = s->tree.parents;
	reply->node_functions = s->tree.node_functions;
	return 0;
}

static void fill_waits(struct survey_answer *answer, size_t at, const struct survey_thread *thread,
		       Kview__Wire__SurveyThread *message)
{
	int metric;

	for (metric = XP_FIRST_CAUSE; metric < XP_METRICS; metric++) {
		if (!thread->ns[metric])
			continue;
		answer->causes[at][message->n_causes++] = (Kview__Wire__Metric)metric;
		answer->waited[at][message->n_waited_ns++] = thread->ns[metric];
	}
	message->causes = answer->causes[at];
	message->waited_ns = answer->waited[at];
}

static int fill_threads(struct survey *s, Kview__Wire__SurveyReply *reply)
{
	struct survey_answer *answer = &s->answer;
	struct survey_thread thread;
	uint32_t tid = 0;
	size_t nr = 0, i;

	while (sampler__next_thread(s->sampler, &tid, &thread))
		nr++;
	answer->causes = calloc(nr + 1, sizeof(*answer->causes));
	answer->waited = calloc(nr + 1, sizeof(*answer->waited));
	answer->thread_names = calloc(nr + 1, sizeof(*answer->thread_names));
	answer->nr_threads = nr;
	reply->threads = message_list__new(nr, sizeof(**reply->threads));
	if (!answer->causes || !answer->waited || !answer->thread_names || !reply->threads)
		return -1;
	for (i = 0, tid = 0; i < nr && sampler__next_thread(s->sampler, &tid, &thread); i++) {
		Kview__Wire__SurveyThread *message = reply->threads[i];

		thread.name[sizeof(thread.name) - 1] = 0;
		answer->thread_names[i] = name__printable(thread.name);
		if (!answer->thread_names[i])
			return -1;
		kview__wire__survey_thread__init(message);
		message->tid = tid;
		message->name = answer->thread_names[i];
		message->on_cpu_ns = thread.ns[XP_ON_CPU];
		fill_waits(answer, i, &thread, message);
		reply->process_cpu_ns += thread.ran_ns;
		reply->cost_ns += thread.cost_ns;
	}
	reply->n_threads = i;
	return 0;
}

static void fill_quality(struct survey *s, Kview__Wire__SurveyReply *reply)
{
	const struct survey_losses *losses = sampler__losses(s->sampler);
	Kview__Wire__SurveyQuality *quality = &s->answer.quality;

	kview__wire__survey_quality__init(quality);
	quality->stacks = s->counts.stacks;
	quality->complete_stacks = s->counts.complete;
	quality->complete_ns = s->counts.complete_ns;
	quality->cut_stacks = s->counts.cut;
	quality->lost_stacks = losses->stacks;
	quality->lost_ns = losses->stacks_ns;
	quality->unfollowed_threads = losses->threads;
	quality->pooled_stacks = s->tree.pooled;
	reply->quality = quality;
}

Kview__Wire__SurveyReply *survey__reply(struct survey *s)
{
	Kview__Wire__SurveyReply *reply = &s->answer.message;

	kview__wire__survey_reply__init(reply);
	tree__scale(&s->tree, s->sampler);
	if (s->tree.no_memory || fill_files(s, reply) || fill_functions(s, reply) || fill_times(s, reply) ||
	    fill_threads(s, reply))
		return NULL;
	fill_quality(s, reply);
	provenance__process(&s->answer.process_message, &s->started_as);
	reply->process = &s->answer.process_message;
	reply->begin_ns = sampler__begin_ns(s->sampler);
	reply->end_ns = sampler__end_ns(s->sampler);
	reply->realtime_offset_ns = s->realtime_offset_ns;
	reply->cpu_period_ns = s->cpu_period_ns;
	reply->wait_period_ns = sampler__wait_period_ns(s->sampler);
	reply->note = (char *)(s->note ? s->note : "");
	reply->agent_cpu_ns = s->agent_cpu_ns;
	return reply;
}
