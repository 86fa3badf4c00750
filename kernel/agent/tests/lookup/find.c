// SPDX-License-Identifier: GPL-2.0
/*
 * find PID BINARY PATTERN [LIMIT]: prints what function lookup says, one JSON object a
 * line, for the tests.  PID 0: BINARY is a path.  find --uretprobes PID: yes or no,
 * one or many (stacks), and why.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../src/lookup/functions.h"
#include "../../src/lookup/unwinding.h"

static void print_string(const char *key, const char *text)
{
	printf(",\"%s\":\"", key);
	for (; text && *text; text++)
		printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
	printf("\"");
}

static void print_function(const struct fn_function *function)
{
	printf("{\"address\":%" PRIu64 ",\"file_offset\":%" PRIu64 ",\"size\":%" PRIu64
	       ",\"language\":%d,\"probeable\":%s,\"entry_offset\":%" PRIu64
	       ",\"entry_cost\":%d,\"exit_kind\":%d", function->address, function->file_offset,
	       function->size, function->language, function->probeable ? "true" : "false",
	       function->entry_offset, function->entry_cost, function->exit_kind);
	printf(",\"inlined_places\":%zu", function->inlined_places);
	print_string("name", function->name);
	print_string("symbol", function->symbol);
	print_string("reason", function->reason);
	printf(",\"aliases\":[");
	for (char **alias = function->aliases; alias && *alias; alias++)
		printf("%s\"%s\"", alias == function->aliases ? "" : ",", *alias);
	printf("],\"sites\":[");
	for (size_t i = 0; i < function->nr_sites; i++) {
		const struct fn_site *site = &function->sites[i];

		printf("%s{\"address\":%" PRIu64 ",\"file_offset\":%" PRIu64
		       ",\"kind\":%d,\"condition\":%d,\"reg\":%d,\"cost\":%d,\"goes_on\":%d}",
		       i ? "," : "", site->address, site->file_offset, site->kind, site->condition,
		       site->reg, site->cost, site->goes_on);
	}
	printf("],\"goes_on\":[");
	for (size_t i = 0; i < function->nr_goes_on; i++) {
		const struct fn_continuation *to = &function->goes_on[i];

		printf("%s{\"followed\":%s,\"file_offset\":%" PRIu64 ",\"ends\":%zu", i ? "," : "",
		       to->followed ? "true" : "false", to->file_offset, to->nr_sites);
		print_string("name", to->name);
		print_string("binary", to->binary);
		printf("}");
	}
	printf("],\"ranges\":[");
	for (size_t i = 0; i < function->nr_ranges; i++)
		printf("%s[%" PRIu64 ",%" PRIu64 "]", i ? "," : "", function->ranges[i].start,
		       function->ranges[i].end);
	printf("]}\n");
}

/* What the proof says of one file, and what it cost. */
static int print_file(const char *path)
{
	struct file_safety safety;
	struct error error;
	struct elf_file file;
	struct timespec begin, end;

	if (elf_file__open(&file, path, path, &error)) {
		elf_file__close(&file);
		puts(error.message);
		return 1;
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	elf_file__examine_safety(&file, path, &safety);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	elf_file__close(&file);
	printf("%s %s%s%s %s (%.0f ms)\n", safety.returns ? "yes" : "no",
	       safety.one_stack ? "one" : "many", safety.writes_context ? " context" : "",
	       safety.handles_signals ? " signals" : "", safety.reason,
	       (end.tv_sec - begin.tv_sec) * 1e3 + (end.tv_nsec - begin.tv_nsec) / 1e6);
	return 0;
}

int main(int argc, char **argv)
{
	struct fn_query query = { 0 };
	struct error error;
	struct fn_list list;

	if (argc == 3 && !strcmp(argv[1], "--uretprobes")) {
		struct fn_process_safety safety;

		fn_process_safety__read(&safety, atoi(argv[2]), NULL);
		printf("%s %s %s\n", safety.returns ? "yes" : "no",
		       safety.one_stack ? "one" : "many", safety.reason);
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "--file"))
		return print_file(argv[2]);
	if (argc < 4) {
		fputs("usage: find PID BINARY PATTERN [LIMIT] | find --uretprobes PID | find --file PATH\n", stderr);
		return 2;
	}
	query.pid = atoi(argv[1]);
	query.binary = argv[2];
	query.pattern = argv[3];
	query.limit = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
	if (fn_list__find(&list, &query, &error)) {
		printf("{\"error\":%d", error.code);
		print_string("message", error.message);
		printf(",\"suggestions\":[");
		for (char **name = error.suggestions; name && *name; name++)
			printf("%s\"%s\"", name == error.suggestions ? "" : ",", *name);
		printf("]}\n");
		error__free(&error);
		return 1;
	}
	printf("{\"total\":%zu,\"build_id\":\"%s\"", list.total_matches, list.build_id);
	printf(",\"not_loaded\":%s", list.not_loaded ? "true" : "false");
	print_string("binary", list.binary);
	print_string("open_path", list.open_path);
	printf("}\n");
	for (size_t i = 0; i < list.nr; i++)
		print_function(&list.functions[i]);
	fn_list__free(&list);
	return 0;
}
