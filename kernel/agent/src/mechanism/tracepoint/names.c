// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mechanism/tracepoint/names.h"
#include "mechanism/tracepoint/tracefs.h"

#define NAME_BYTES	256

/* Where they are hit eBPF programs may hold locks, or come there themselves while they do. */
static const char *const unsafe[] = { "lock", "preemptirq" };

#define UNSAFE	"eBPF programs come to it themselves, while they hold locks: in one that runs there the host could stand still."
#define CANNOT	"The tracepoint %.100s can't be measured. %s"
#define DYNAMIC	"It is no tracepoint of the kernel's, but was put into the running kernel by another tool: measure the function that it is at."

/* Whether another tool defined an event while the kernel ran: "p:kprobes/NAME SYMBOL". */
static bool is_dynamic(int tracefs, const char *category, const char *name)
{
	char wanted[2 * NAME_BYTES + 4], line[1024];
	FILE *file = tracefs__file(tracefs, "dynamic_events");
	/* Those of programs are in the list without their system, which they alone have. */
	bool is_there = !strcmp(category, "synthetic") || !strncmp(category, "user_events", strlen("user_events"));
	const char *at;

	snprintf(wanted, sizeof(wanted), ":%s/%s", category, name);
	while (file && !is_there && fgets(line, sizeof(line), file)) {
		at = strstr(line, wanted);
		is_there = at && strchr(" \t\n", at[strlen(wanted)]);
	}
	if (file)
		fclose(file);
	return is_there;
}

/* NULL: nothing speaks against it. */
static const char *why_not(int tracefs, const char *category, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(unsafe) / sizeof(*unsafe); i++)
		if (!strcmp(category, unsafe[i]))
			return UNSAFE;
	return is_dynamic(tracefs, category, name) ? DYNAMIC : NULL;
}

static int unreadable(struct error *error)
{
	return error__set(error, errno == EACCES || errno == EPERM ? ERR_NO_PERMISSION : ERR_FAILED,
			  "The names of the kernel's tracepoints could not be read: %s.", strerror(errno));
}

/* Those that are records of the kernel's own tracers are not in its list, and no eBPF program can run there. */
static int none__found(int tracefs, const char *pattern, struct error *error)
{
	FILE *file = tracefs__file(tracefs, "available_events");
	struct near_names near = { .wanted = pattern };
	char line[2 * NAME_BYTES];

	if (!strncmp(pattern, "ftrace:", strlen("ftrace:"))) {
		error__set(error, ERR_NOT_PROBEABLE,
			   "%.100s is a record of the kernel's own tracers and no tracepoint: it can't be measured.", pattern);
	} else {
		error__set(error, ERR_NO_SUCH_FUNCTION,
			   "This kernel has no tracepoint %.100s: give SYSTEM:NAME, or a glob such as sched:*.", pattern);
		while (file && fgets(line, sizeof(line), file)) {
			line[strcspn(line, "\n")] = 0;
			near_names__offer(&near, line);
		}
		error->suggestions = near_names__take(&near);
	}
	if (file)
		fclose(file);
	return -1;
}

/* "SYSTEM:NAME", of which it makes two. */
static char *split(char *text)
{
	char *colon = strchr(text, ':');

	text[strcspn(text, "\n")] = 0;
	if (colon)
		*colon = 0;
	return colon ? colon + 1 : NULL;
}

static int offer(struct point_names *found, int tracefs, const char *label)
{
	char text[2 * NAME_BYTES];
	const char *name, *why;

	if (!name_pattern__matches(&found->pattern, label))
		return 0;
	snprintf(text, sizeof(text), "%s", label);
	name = split(text);
	why = name ? why_not(tracefs, text, name) : NULL;
	return why ? point_names__refuse(found, label, why) : point_names__offer(found, label);
}

static int offer_all(struct point_names *found, int tracefs, struct error *error)
{
	FILE *file = tracefs__file(tracefs, "available_events");
	char line[2 * NAME_BYTES];
	int result = 0;

	if (!file)
		return unreadable(error);
	while (!result && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = 0;
		if (offer(found, tracefs, line))
			result = error__set(error, ERR_FAILED, "Out of memory.");
	}
	fclose(file);
	return result;
}

int tracepoint_names__find(struct point_names *found, const char *pattern, struct error *error)
{
	int tracefs = tracefs__open(error), result;

	if (tracefs < 0)
		return -1;
	result = offer_all(found, tracefs, error);
	if (!result && !found->total)
		result = found->nr_refused ?
			error__set(error, ERR_NOT_PROBEABLE, CANNOT, found->refused[0], found->reasons[0]) :
			none__found(tracefs, pattern, error);
	close(tracefs);
	return result;
}

char *tracepoint_names__all(int tracefs)
{
	FILE *file = tracefs__file(tracefs, "available_events");
	size_t room = 0;
	char *text = NULL;

	if (!file)
		return NULL;
	if (getdelim(&text, &room, 0, file) < 0) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

bool tracepoint_names__is_ambiguous(const char *all, const char *name)
{
	char line[NAME_BYTES + 4];
	const char *at;

	snprintf(line, sizeof(line), ":%.*s\n", NAME_BYTES, name);
	at = strstr(all, line);
	return at && strstr(at + 1, line);
}

int tracepoint_names__check(int tracefs, const char *category, const char *name, struct error *error)
{
	char path[2 * NAME_BYTES + 16], label[2 * NAME_BYTES];
	const char *why;

	snprintf(label, sizeof(label), "%.200s:%.200s", category, name);
	if (!*category || !*name || strpbrk(category, "*?[/.") || strpbrk(name, "*?[/."))
		return error__set(error, ERR_BAD_REQUEST, "A tracepoint is recorded by its exact name, not by %.100s.", label);
	snprintf(path, sizeof(path), "events/%.200s/%.200s/id", category, name);
	if (!strcmp(category, "ftrace") || faccessat(tracefs, path, F_OK, 0))
		return none__found(tracefs, label, error);
	why = why_not(tracefs, category, name);
	return !why ? 0 : error__set(error, ERR_NOT_PROBEABLE, CANNOT, label, why);
}
