// SPDX-License-Identifier: GPL-2.0
/* kviewctl: kernel views from a shell; see kviewctl.8. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "count.h"
#include "keep.h"
#include "list.h"

struct request {
	struct sites sites;
	struct target target;
	unsigned int seconds;
	char **command;
};

static const char usage[] =
	"usage: kviewctl count SITES [-s SECONDS] TARGET\n"
	"       kviewctl count SITES [-s SECONDS] [-F] -- COMMAND [ARG]...\n"
	"       kviewctl create NAME SITES\n"
	"       kviewctl attach NAME TARGET\n"
	"       kviewctl list [-a]\n"
	"       kviewctl stat [NAME]\n"
	"       kviewctl detach NAME [TARGET]\n"
	"       kviewctl remove NAME\n"
	"SITES: [-f FUNCTION]... [-m [MODULE:]FUNCTION]... [-t TRACEPOINT]...\n"
	"TARGET: -p PID [-F] [-E] | -c CGROUP | -d DEVICE [-q QUEUE] | -n NAPI\n";

static int show_stat(struct kview *k)
{
	struct kview_stat st;
	int err = kview__stat(k, &st);

	if (err) {
		fprintf(stderr, "kviewctl: stat: %s\n", strerror(-err));
		return 1;
	}
	printf("views %u\nprocesses %u\nplaces %u\ntext_copies %u\n", st.views, st.processes,
	       st.spots, st.text_copies);
	printf("rejected_kthread %llu\nrejected_irq %llu\n", st.rejected_kthread, st.rejected_irq);
	printf("rejected_nested %llu\nrejected_left %llu\n", st.rejected_nested, st.rejected_left);
	printf("chained %llu\nmirrored %llu\nescaped %llu\ndetach_ns %llu\n", st.chained,
	       st.mirrored, st.escaped, st.detach_ns);
	return 0;
}

static bool number(const char *text, unsigned int min, unsigned int *out)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	*out = value;
	return *text >= '0' && *text <= '9' && !*end && !errno && value >= min &&
	       value <= INT32_MAX;
}

static bool add_name(const char **names, size_t *n, const char *name)
{
	if (*n == MAX_NAMES)
		return false;
	names[(*n)++] = name;
	return true;
}

static bool parse_option(struct request *r, int opt, const char *arg)
{
	unsigned int pid;
	char *text;

	switch (opt) {
	case 'f':
		return add_name(r->sites.functions, &r->sites.nfunctions, arg);
	case 'm':
		/* the kernel image's is not meant, even if it has one */
		return asprintf(&text, "%s%s", strchr(arg, ':') ? "" : ":", arg) >= 0 &&
		       add_name(r->sites.modules, &r->sites.nmodules, text);
	case 't':
		return add_name(r->sites.tracepoints, &r->sites.ntracepoints, arg);
	case 'p':
		if (!number(arg, 1, &pid))
			return false;
		r->target.pid = pid;
		return true;
	case 'c':
		r->target.cgroup = arg;
		return true;
	case 'd':
		r->target.device = arg;
		return true;
	case 'q':
		return number(arg, 0, &r->target.queue);
	case 'n':
		return number(arg, 1, &r->target.napi_id);
	case 's':
		return number(arg, 1, &r->seconds);
	case 'F':
		r->target.flags |= KVIEW_ATTACH_FORK;
		return true;
	case 'E':
		r->target.flags |= KVIEW_ATTACH_EXEC;
		return true;
	}
	return false;
}

/* What a command takes; argv[0] is the command, or the name after it. */
static bool parse(int argc, char **argv, const char *options, struct request *r)
{
	int opt;

	while ((opt = getopt(argc, argv, options)) != -1)
		if (!parse_option(r, opt, optarg))
			return false;
	if (optind < argc)
		r->command = argv + optind;
	return true;
}

#define SITES	"f:m:t:"
#define TARGET	"p:c:d:q:n:FE"

static bool has_sites(const struct request *r)
{
	return r->sites.nfunctions + r->sites.nmodules + r->sites.ntracepoints;
}

static int run_count(int argc, char **argv, struct kview *k, struct request *r)
{
	if (!parse(argc, argv, "+s:" SITES TARGET, r) || !has_sites(r) ||
	    target__count(&r->target) + !!r->command != 1)
		return 2;
	return count(k, &r->sites, &r->target, r->seconds, r->command);
}

static int run_create(int argc, char **argv, struct kview *k, struct request *r)
{
	if (!parse(argc, argv, "+" SITES, r) || r->command || !has_sites(r))
		return 2;
	return keep__create(k, argv[0], &r->sites);
}

static int run_attach(int argc, char **argv, struct kview *k, struct request *r)
{
	(void)k;
	if (!parse(argc, argv, "+" TARGET, r) || r->command || target__count(&r->target) != 1)
		return 2;
	return keep__attach(argv[0], &r->target);
}

static int run_detach(int argc, char **argv, struct kview *k, struct request *r)
{
	(void)k;
	if (!parse(argc, argv, "+" TARGET, r) || r->command || target__count(&r->target) > 1)
		return 2;
	return keep__detach(argv[0], &r->target);
}

static int run_list(int argc, char **argv, struct kview *k, struct request *r)
{
	(void)r;
	if (argc == 2 && !strcmp(argv[1], "-a"))
		return list_all(k);
	return argc == 1 ? keep__list() : 2;
}

static int run_stat(int argc, char **argv, struct kview *k, struct request *r)
{
	(void)r;
	return argc == 1 ? show_stat(k) : argc == 2 ? keep__stat(argv[1]) : 2;
}

static int run_remove(int argc, char **argv, struct kview *k, struct request *r)
{
	(void)k;
	(void)r;
	return argc == 1 ? keep__remove(argv[0]) : 2;
}

static const struct {
	const char *name;
	int (*run)(int argc, char **argv, struct kview *k, struct request *r);
	bool of_a_view;		/* its name comes next */
} commands[] = {
	{ "count", run_count, false },
	{ "create", run_create, true },
	{ "attach", run_attach, true },
	{ "list", run_list, false },
	{ "stat", run_stat, false },
	{ "detach", run_detach, true },
	{ "remove", run_remove, true },
};

int main(int argc, char **argv)
{
	size_t n = sizeof(commands) / sizeof(*commands), i;
	static struct request r;
	struct kview *k;
	int ret = 2, skip;

	for (i = 0; i < n && argc > 1; i++)
		if (!strcmp(argv[1], commands[i].name))
			break;
	skip = i < n && commands[i].of_a_view ? 2 : 1;
	if (argc <= skip || i == n || (skip == 2 && *argv[2] == '-')) {
		fputs(usage, stderr);
		return 2;
	}
	k = kview__open();
	if (!k) {
		fprintf(stderr, "kviewctl: /dev/kview: %s%s\n", strerror(errno),
			errno == ENOENT ? "; is the kview module loaded?" : "");
		return 1;
	}
	ret = commands[i].run(argc - skip, argv + skip, k, &r);
	if (ret == 2)
		fputs(usage, stderr);
	kview__free(k);
	return ret;
}
