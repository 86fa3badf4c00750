// SPDX-License-Identifier: GPL-2.0
/* kviewctl: kernel views from a shell; see kviewctl.8. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libkview.h"

enum { MAX_NAMES = 4096 };

struct request {
	const char *functions[MAX_NAMES];
	const char *tracepoints[MAX_NAMES];
	size_t nfunctions, ntracepoints;
	pid_t pid;
	const char *cgroup;
	const char *device;
	uint32_t queue, napi_id;
	uint32_t flags;
	unsigned int seconds;
	char **command;
};

static const char usage[] =
	"usage: kviewctl stat\n"
	"       kviewctl count [-f FUNCTION]... [-t TRACEPOINT]... [-F] [-E] [-s SECONDS]\n"
	"                      -p PID | -c CGROUP | -d DEVICE [-q QUEUE] | -n NAPI |\n"
	"                      -- COMMAND [ARG]...\n";

static int complain(const char *what, int err)
{
	const char *hint = "";

	if (err == ENOENT)
		hint = "; is the kview module loaded?";
	else if (err == EPERM)
		hint = "; it takes CAP_BPF and CAP_PERFMON";
	fprintf(stderr, "kviewctl: %s: %s%s\n", what, strerror(err), hint);
	return 1;
}

static int show_stat(struct kview *k)
{
	struct kview_stat st;
	int err = kview__stat(k, &st);

	if (err)
		return complain("stat", -err);
	printf("views %u\nprocesses %u\nplaces %u\ntext_copies %u\n", st.views, st.processes,
	       st.spots, st.text_copies);
	printf("rejected_kthread %llu\nrejected_irq %llu\nrejected_nested %llu\nrejected_left %llu\n",
	       st.rejected_kthread, st.rejected_irq, st.rejected_nested, st.rejected_left);
	printf("chained %llu\nmirrored %llu\nescaped %llu\ndetach_ns %llu\n", st.chained,
	       st.mirrored, st.escaped, st.detach_ns);
	return 0;
}

/* SYSTEM:EVENT is a trace event, anything else a tracepoint. */
static struct kview_set *add_tracepoint(struct kview_view *v, const char *const *name, size_t n,
					struct kview_set_opts *opts)
{
	return strchr(*name, ':') ? kview_view__add_events(v, name, n, opts) :
				    kview_view__add_tracepoints(v, name, n, opts);
}

static struct kview_set *add(struct kview_view *v, const char *const *names, size_t n, bool tp)
{
	struct kview_set_opts opts = { 0 };
	struct kview_set *s;
	int err;

	s = tp ? add_tracepoint(v, names, n, &opts) : kview_view__add_functions(v, names, n, &opts);
	if (s)
		return s;
	err = errno;
	fprintf(stderr, "kviewctl: %s: %s\n", opts.bad < n ? names[opts.bad] : "adding sites",
		err == ENOENT ? "no such function, tracepoint or event" :
		err == EADDRNOTAVAIL ? "cannot be hooked" :
		err == EEXIST ? "named twice" : strerror(err));
	return NULL;
}

static void print_hits(struct kview_set *s, const char *const *names, size_t n)
{
	uint64_t hits;
	size_t i;

	for (i = 0; s && i < n; i++)
		if (!kview_set__hits(s, i, 1, -1, &hits))
			printf("%12" PRIu64 "  %s\n", hits, names[i]);
}

/* A command's first instruction is in the view already: it waits until attached. */
static pid_t start(char **command, int *go)
{
	int fds[2];
	pid_t pid;
	char c;

	if (pipe(fds))
		return -1;
	pid = fork();
	if (pid) {
		close(fds[0]);
		*go = fds[1];
		return pid;
	}
	close(fds[1]);
	if (read(fds[0], &c, 1) != 1)
		_exit(1);
	close(fds[0]);
	execvp(command[0], command);
	fprintf(stderr, "kviewctl: %s: %s\n", command[0], strerror(errno));
	_exit(127);
}

static void on_signal(int sig)
{
	(void)sig;
}

static bool has_process(struct kview_attachment *a)
{
	struct kview_attach_stat st;

	return !kview_attachment__stat(a, &st) && st.processes;
}

static void wait_for_end(const struct request *r, pid_t child, struct kview_attachment *a)
{
	struct sigaction sa = { .sa_handler = on_signal };

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGALRM, &sa, NULL);
	if (r->seconds)
		alarm(r->seconds);
	if (child)
		waitpid(child, NULL, 0);
	else if (r->cgroup)
		pause();
	else if (!r->pid)
		while (has_process(a) && !sleep(1))
			;
	else
		while (!kill(r->pid, 0) && !sleep(1))
			;
}

static struct kview_attachment *attach(struct kview_view *v, const struct request *r)
{
	struct kview_attachment *a =
		r->cgroup ? kview_view__attach_cgroup(v, r->cgroup) :
		r->device ? kview_view__attach_queue(v, r->device, r->queue) :
		r->napi_id ? kview_view__attach_napi(v, r->napi_id) :
			     kview_view__attach(v, r->pid, r->flags);

	if (a)
		return a;
	if (r->cgroup)
		fprintf(stderr, "kviewctl: attaching cgroup %s: %s\n", r->cgroup,
			errno == EBADF ? "not a directory of cgroup v2" : strerror(errno));
	else if (r->device || r->napi_id)
		fprintf(stderr, "kviewctl: attaching the queue: %s\n",
			errno == EBUSY ? "it is in a view already" :
			errno == ENXIO ? "no such device, queue or NAPI instance" :
			errno == EOPNOTSUPP ? "no thread polls it; write 1 to /sys/class/net/DEVICE/threaded" :
			errno == EPERM ? "it takes CAP_NET_ADMIN, too" : strerror(errno));
	else
		fprintf(stderr, "kviewctl: attaching process %d: %s\n", r->pid,
			errno == EBUSY ? "it is in a view already" :
			errno == EINVAL ? "a kernel thread" : strerror(errno));
	return NULL;
}

/* One set for each tracepoint: they may be tracepoints and events, mixed. */
static bool add_all(struct kview_view *v, const struct request *r, struct kview_set **f,
		    struct kview_set **t)
{
	size_t i;

	if (r->nfunctions) {
		*f = add(v, r->functions, r->nfunctions, false);
		if (!*f)
			return false;
	}
	for (i = 0; i < r->ntracepoints; i++) {
		t[i] = add(v, &r->tracepoints[i], 1, true);
		if (!t[i])
			return false;
	}
	return true;
}

static int count(struct kview *k, struct request *r)
{
	static struct kview_set *f, *t[MAX_NAMES];
	struct kview_attachment *a = NULL;
	struct kview_view *v = kview_view__new(k);
	int go = -1, ret = 1;
	pid_t child = 0;
	size_t i;

	if (!v)
		return complain("creating a view", errno);
	if (!add_all(v, r, &f, t))
		goto out;
	if (r->command) {
		child = start(r->command, &go);
		if (child < 0) {
			complain("starting the command", errno);
			goto out;
		}
		r->pid = child;
		r->flags |= KVIEW_ATTACH_EXEC;
	}
	a = attach(v, r);
	if (!a)
		goto out;
	if (go >= 0 && write(go, "", 1) != 1)
		goto out;
	wait_for_end(r, child, a);
	print_hits(f, r->functions, r->nfunctions);
	for (i = 0; i < r->ntracepoints; i++)
		print_hits(t[i], &r->tracepoints[i], 1);
	ret = 0;
out:
	if (go >= 0)
		close(go);
	if (a)
		kview_attachment__free(a);
	if (f)
		kview_set__free(f);
	for (i = 0; i < r->ntracepoints && t[i]; i++)
		kview_set__free(t[i]);
	kview_view__free(v);
	return ret;
}

static int parse(int argc, char **argv, struct request *r)
{
	int opt;

	while ((opt = getopt(argc, argv, "+f:t:p:c:d:q:n:s:FE")) != -1) {
		switch (opt) {
		case 'f':
			if (r->nfunctions < MAX_NAMES)
				r->functions[r->nfunctions++] = optarg;
			break;
		case 't':
			if (r->ntracepoints < MAX_NAMES)
				r->tracepoints[r->ntracepoints++] = optarg;
			break;
		case 'p':
			r->pid = atoi(optarg);
			break;
		case 'c':
			r->cgroup = optarg;
			break;
		case 'd':
			r->device = optarg;
			break;
		case 'q':
			r->queue = strtoul(optarg, NULL, 10);
			break;
		case 'n':
			r->napi_id = strtoul(optarg, NULL, 10);
			break;
		case 's':
			r->seconds = strtoul(optarg, NULL, 10);
			break;
		case 'F':
			r->flags |= KVIEW_ATTACH_FORK;
			break;
		case 'E':
			r->flags |= KVIEW_ATTACH_EXEC;
			break;
		default:
			return -1;
		}
	}
	if (optind < argc)
		r->command = argv + optind;
	/* one of the five, and something to count */
	if ((r->pid > 0) + !!r->cgroup + !!r->device + !!r->napi_id + !!r->command != 1 ||
	    !(r->nfunctions + r->ntracepoints))
		return -1;
	return 0;
}

int main(int argc, char **argv)
{
	static struct request r;
	bool stat = argc == 2 && !strcmp(argv[1], "stat");
	struct kview *k;
	int ret;

	if (!stat && (argc < 2 || strcmp(argv[1], "count") || parse(argc - 1, argv + 1, &r))) {
		fputs(usage, stderr);
		return 2;
	}
	k = kview__open();
	if (!k)
		return complain("/dev/kview", errno);
	ret = stat ? show_stat(k) : count(k, &r);
	kview__free(k);
	return ret;
}
