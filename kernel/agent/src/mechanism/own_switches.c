// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/cutoff.h"
#include "bpf/events.h"
#include "mechanism/bpf_access.h"
#include "mechanism/kernel_types.h"
#include "mechanism/mechanism.h"
#include "mechanism/own_switches.h"

struct own_thread {
	pid_t tid;
	struct bpf_link *link;		/* NULL: it ended meanwhile */
};

/* Each takes two descriptors, and some µs to open: of more, the host's switches are told. */
#define MOST_THREADS	4096
/* Looks at each CPU's clock as the agent comes to it: the soonest of them is right. */
#define LEARNING_LOOKS	8

static int event__open(__u64 config, pid_t tid, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .config = config,
	};

	if (cpu < 0) {
		attr.sample_period = 1;
		/* Threads that it starts, and not processes; since Linux 5.13. */
		attr.inherit = attr.inherit_thread = 1;
		attr.disabled = 1;
	} else {
		/* All the time, whatever other events come and go. */
		attr.pinned = 1;
	}
	return syscall(SYS_perf_event_open, &attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* It never changes. */
static bool scheduler__keeps_account(void)
{
	static const char *const members[][2] = {
		{ "sched_info", "pcount" }, { "sched_info", "run_delay" }, { "sched_info", "last_arrival" },
		{ "task_struct", "on_rq" }, { "sched_entity", "cfs_rq" }, { "cfs_rq", "rq" },
		{ "perf_event", "tstamp" }, { "perf_event_context", "timeoffset" },
		/* Since Linux 6.2; before, a thread has its events of software in a place of their own. */
		{ "perf_event_pmu_context", "ctx" },
	};
	static int keeps = -1;
	struct btf *types;
	size_t i;

	if (keeps >= 0)
		return keeps;
	types = btf__load_vmlinux_btf();
	keeps = types != NULL;
	for (i = 0; keeps && i < sizeof(members) / sizeof(*members); i++)
		keeps = kernel_types__has_member(types, members[i][0], members[i][1]);
	btf__free(types);
	return keeps;
}

/* Calls one for each thread of the process, until that says other than 0, and returns that; -1 with errno: there is no such process. */
static int threads__each(pid_t pid, int (*one)(void *context, pid_t tid), void *context)
{
	struct dirent *entry;
	char path[32];
	int result = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	folder = opendir(path);
	if (!folder)
		return -1;
	while (!result && (entry = readdir(folder)))
		if (*entry->d_name != '.')
			result = one(context, atoi(entry->d_name));
	closedir(folder);
	return result;
}

static int thread__count(void *context, pid_t tid)
{
	(void)tid;
	++*(size_t *)context;
	return 0;
}

/* Why it can't be on this host, or of this process: a part of a sentence. */
static const char *own_switches__missing(pid_t pid)
{
	static char why[160];
	size_t threads = 0;
	int fd, cpu = sched_getcpu();

	if (!scheduler__keeps_account())
		return "this kernel does not tell when a thread came to a CPU (Linux 6.2 and later do, with CONFIG_SCHED_INFO)";
	if (libbpf_num_possible_cpus() > XP_MAX_CPUS)
		return "this host may have too many CPUs";
	if (threads__each(pid, thread__count, &threads))
		return "its threads can't be listed";
	if (threads > MOST_THREADS) {
		snprintf(why, sizeof(why), "it has %zu threads, and an event for each of more than %d takes long", threads, MOST_THREADS);
		return why;
	}
	fd = event__open(PERF_COUNT_SW_CONTEXT_SWITCHES, pid, -1);
	if (fd >= 0) {
		close(fd);
		fd = event__open(PERF_COUNT_SW_DUMMY, -1, cpu);
	}
	if (fd < 0) {
		snprintf(why, sizeof(why), "the kernel opens no such event here (%s)", strerror(errno));
		return why;
	}
	close(fd);
	return NULL;
}

static const char *others_wanted(const struct mechanism_load *load)
{
	return load->events ? "events tell of them" :
	       load->waits ? "waits tell who woke whom" :
	       load->cgroup ? "processes come and go in a cgroup" :
	       load->tree ? "children come and go" : NULL;
}

int own_switches__wanted(const struct mechanism_load *load, pid_t pid, const char *more, char *why, size_t size,
			 struct error *error)
{
	const char *forced = getenv("KVIEW_AGENT_SWITCHES"), *missing;
	enum mechanism_switches wanted = load->switches;

	if (wanted == SWITCHES_AUTO && forced)
		wanted = !strcmp(forced, "process") ? SWITCHES_PROCESS : !strcmp(forced, "host") ? SWITCHES_HOST : SWITCHES_AUTO;
	*why = 0;
	if (wanted != SWITCHES_PROCESS)
		return 0;
	missing = others_wanted(load) ?: more ?: own_switches__missing(pid);
	if (!missing)
		return 1;
	snprintf(why, size, "%s", missing);
	if (load->switches != SWITCHES_PROCESS)
		return 0;
	return error__set(error, ERR_UNSUPPORTED,
			  "The process's own context switches can't tell when it was off its CPUs (%s): record it by all switches of the host.",
			  missing);
}

bool own_switches__give_up(bool *are_chosen, const struct mechanism_load *load, char *why, size_t size)
{
	if (!*are_chosen || load->switches == SWITCHES_PROCESS)
		return false;
	*are_chosen = false;
	snprintf(why, size, "this kernel refuses the eBPF program for the process's own");
	return true;
}

void own_switches__tell_why(const char *why, char *text, size_t size)
{
	size_t length = strlen(text);

	if (*why)
		snprintf(text + length, size - length, " All switches of the host are looked at: %s.", why);
}

void own_switches__choose(struct bpf_object *object, bool are_chosen)
{
	static const char *const theirs[] = { "own_switch_out", "own_switch_clock" };
	static const char *const hosts[] = { "sched_switch", "sched_wakeup" };
	struct bpf_map *events = bpf_object__find_map_by_name(object, "cpu_clock_events");
	size_t i;

	for (i = 0; i < 2; i++) {
		bpf_program__set_autoload(bpf_object__find_program_by_name(object, theirs[i]), are_chosen);
		if (are_chosen)
			bpf_program__set_autoload(bpf_object__find_program_by_name(object, hosts[i]), false);
	}
	bpf_map__set_autocreate(events, are_chosen);
	bpf_map__set_max_entries(events, libbpf_num_possible_cpus());
}

/* The map keeps what it is given.  A CPU that is not online has no event, and what comes to it later is rebuilt as of unseen switches. */
static int cpu_clocks__open(const struct bpf_object *object)
{
	int map = bpf_map__fd(bpf_object__find_map_by_name(object, "cpu_clock_events")), failed = 0, fd;
	__u32 cpu, nr = libbpf_num_possible_cpus();

	for (cpu = 0; cpu < nr && !failed; cpu++) {
		fd = event__open(PERF_COUNT_SW_DUMMY, -1, cpu);
		if (fd < 0 && errno == ENODEV)
			continue;
		if (fd < 0)
			return -1;
		failed = bpf_map_update_elem(map, &cpu, &fd, BPF_ANY);
		close(fd);
	}
	return failed;
}

/* Where the agent may not run, a clock is learned from the process's own switches. */
static void cpu_clocks__look(const struct bpf_object *object)
{
	int program = bpf_program__fd(bpf_object__find_program_by_name(object, "own_switch_clock")), look;
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	cpu_set_t before, one;
	__u32 cpu, nr = libbpf_num_possible_cpus();

	if (sched_getaffinity(0, sizeof(before), &before))
		return;
	for (cpu = 0; cpu < nr && cpu < CPU_SETSIZE; cpu++) {
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (sched_setaffinity(0, sizeof(one), &one))
			continue;
		for (look = 0; look < LEARNING_LOOKS; look++) {
			sched_yield();
			bpf_prog_test_run_opts(program, &opts);
		}
	}
	sched_setaffinity(0, sizeof(before), &before);
}

int own_switches__learn(struct bpf_object *object, struct error *error)
{
	if (cpu_clocks__open(object))
		return error__set(error, ERR_UNSUPPORTED,
				  "The kernel refused an event that tells a CPU's clock (%s): record by all switches of the host.", strerror(errno));
	cpu_clocks__look(object);
	return 0;
}

struct attaching {
	struct own_switches *own;
	struct bpf_program *program;
	size_t nr_new;
};

/* It may have ended by now. */
static int thread__attach(struct own_thread *thread, struct bpf_program *program)
{
	int fd = event__open(PERF_COUNT_SW_CONTEXT_SWITCHES, thread->tid, -1);

	if (fd < 0)
		return errno == ESRCH ? 0 : -1;
	thread->link = bpf_program__attach_perf_event(program, fd);
	if (!thread->link) {
		int why = errno;

		close(fd);
		errno = why;
		return -1;
	}
	cutoff__add(bpf_link__fd(thread->link));
	return 0;
}

static int thread__add(void *context, pid_t tid)
{
	struct attaching *a = context;
	struct own_switches *own = a->own;
	struct own_thread *more;
	size_t i;

	for (i = 0; i < own->nr; i++)
		if (own->threads[i].tid == tid)
			return 0;
	if (!(own->nr & (own->nr - 1))) {
		more = realloc(own->threads, (own->nr ? 2 * own->nr : 1) * sizeof(*more));
		if (!more)
			return -1;
		own->threads = more;
	}
	own->threads[own->nr] = (struct own_thread){ .tid = tid };
	a->nr_new++;
	return thread__attach(&own->threads[own->nr++], a->program);
}

int own_switches__attach(struct own_switches *own, const struct bpf_object *object, pid_t pid)
{
	struct attaching a = { own, bpf_object__find_program_by_name(object, "own_switch_out"), 0 };
	int why;

	bpf_access__allow_descriptors();
	/*
	 * Who is started by a thread that has its event gets one as well.  Who was started just before that did not: until a look
	 * finds nobody new.  Whoever is found then, and had one, has two, of which the second one is left out.
	 */
	do {
		a.nr_new = 0;
		if (threads__each(pid, thread__add, &a))
			goto fail;
	} while (a.nr_new);
	return 0;
fail:
	why = errno;
	own_switches__detach(own);
	errno = why;
	return -1;
}

void own_switches__detach(struct own_switches *own)
{
	while (own->nr) {
		struct bpf_link *link = own->threads[--own->nr].link;

		if (link)
			cutoff__remove(bpf_link__fd(link));
		bpf_link__destroy(link);
	}
	free(own->threads);
	own->threads = NULL;
}
