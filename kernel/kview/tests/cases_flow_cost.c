// SPDX-License-Identifier: GPL-2.0
/*
 * Instructions for a packet of a traced flow, and for one of another flow.
 *
 * One flow's packet is followed by one of the other, and phases without and with a view take
 * turns in one boot, so that what drifts is the same in all.  Of each phase's packets, one by
 * one, the fewest instructions are compared, and the most usual number: some packets are
 * interrupted, or come after a tick.
 *
 * The queues' threads are real-time ones, so that a packet is received as soon as it is sent.
 * Else the scheduler's fair class decides, on 6.12 even in which flow's time a packet falls;
 * and its estimate of how busy a thread is (UTIL_EST) takes 14 instructions more or less a
 * packet, for a period of load tracking (2^20 ns) at a time, by what it found before.
 */
#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <x86intrin.h>

#include "harness.h"
#include "net.h"

enum { ROUNDS = 6, WARM = 20, PACKETS = 300 };

/* Before any view; then by turns with one, without, and with the hooks in the base. */
enum phase { BEFORE, ATTACHED, DETACHED, FILTERED, PHASES };

struct cost {
	unsigned int least, usual;
};

static unsigned int sample[PHASES][2][2 * ROUNDS * PACKETS];
static unsigned int samples[PHASES];

static void measure(const struct flow *a, const struct flow *b, enum phase p)
{
	unsigned long long t[3];
	int i;

	for (i = 0; i < WARM; i++) {
		flow_one(a);
		flow_one(b);
	}
	for (i = 0; i < PACKETS; i++, samples[p]++) {
		t[0] = __rdtsc();
		flow_one(a);
		t[1] = __rdtsc();
		flow_one(b);
		t[2] = __rdtsc();
		sample[p][0][samples[p]] = t[1] - t[0];
		sample[p][1][samples[p]] = t[2] - t[1];
	}
}

static void threads_real_time(void)
{
	struct sched_param p = { .sched_priority = 1 };
	DIR *d = opendir("/proc");
	struct dirent *e;
	int n = 0;

	CHECK(d);
	while ((e = readdir(d))) {
		char path[300], name[32] = "";
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%s/comm", e->d_name);
		f = atoi(e->d_name) > 0 ? fopen(path, "r") : NULL;
		if (!f)
			continue;
		if (!fgets(name, sizeof(name), f))
			name[0] = 0;
		fclose(f);
		if (strncmp(name, "napi/" NET_DEVICE, strlen("napi/" NET_DEVICE)))
			continue;
		CHECK(!sched_setscheduler(atoi(e->d_name), SCHED_FIFO, &p));
		n++;
	}
	closedir(d);
	CHECK_EQ(n, NET_QUEUES);
}

static int by_value(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return x < y ? -1 : x > y;
}

/* Of flow 0, the traced one, or 1. */
static struct cost cost_of(enum phase p, int flow)
{
	unsigned int *s = sample[p][flow], n = samples[p], i, j, most = 0;
	struct cost c;

	qsort(s, n, sizeof(*s), by_value);
	c.least = s[0];
	for (i = 0; i < n; i = j) {
		for (j = i; j < n && s[j] == s[i]; j++)
			;
		if (j - i > most) {
			most = j - i;
			c.usual = s[i];
		}
	}
	return c;
}

static void report(bool ok, const char *name, struct cost c, struct cost base, const char *more)
{
	result(ok, name, "%u (%+d), most usual %u (%+d)%s", c.least, (int)(c.least - base.least),
	       c.usual, (int)(c.usual - base.usual), more);
}

/*
 * Whether a phase's packets take this number too, and not by chance: one in fifty at least.  A packet
 * goes one of a few ways, some instructions apart, and which one is the most usual may change.
 */
static bool is_taken(enum phase p, int flow, unsigned int number)
{
	unsigned int i, found = 0;

	for (i = 0; i < samples[p]; i++)
		found += sample[p][flow][i] == number;
	return found * 50 >= samples[p];
}

static void round_of(const struct flow *a, const struct flow *b)
{
	struct kview_set_opts filter = { .flags = KVIEW_SET_FILTER };
	static const char *const names[] = { "ip_local_deliver", "udp_rcv" };
	static int prog = -1;
	struct kview_attachment *att;
	struct kview_view *v = view();
	struct kview_set *s;
	int i;

	if (prog < 0)
		prog = bpf_prog_count(PROG_KPROBE, bpf_map(), 0);
	for (i = 0; i < 2; i++) {
		s = kview_view__add_functions(v, names, ARRAY_SIZE(names), i ? &filter : NULL);
		CHECK(s);
		CHECK_OK(kview_set__add_prog(s, prog, 0, NULL));
		att = kview_view__attach_napi(v, a->napi_id);
		CHECK(att);
		measure(a, b, i ? FILTERED : ATTACHED);
		kview_attachment__free(att);
		kview_set__free(s);
		measure(a, b, DETACHED);
	}
	kview_view__free(v);
}

static void flow_cost(void)
{
	struct cost before[2], detached[2], with;
	struct flow a, b;
	int i;

	net_make();
	threads_real_time();
	flows_find(&a, &b);
	for (i = 0; i < ROUNDS; i++)
		measure(&a, &b, BEFORE);
	for (i = 0; i < ROUNDS; i++)
		round_of(&a, &b);
	for (i = 0; i < 2; i++) {
		before[i] = cost_of(BEFORE, i);
		detached[i] = cost_of(DETACHED, i);
	}
	report(true, "cost-flow-base", detached[1], detached[0], "");
	with = cost_of(ATTACHED, 1);
	report(with.least == detached[1].least && is_taken(DETACHED, 1, with.usual),
	       "cost-flow-untraced", with, detached[1], "");
	report(true, "cost-flow-traced", cost_of(ATTACHED, 0), detached[0], "");
	/* what the kernel does less after its first seconds is no fault of the module's */
	report(detached[0].least <= before[0].least && detached[1].least <= before[1].least,
	       "cost-flow-detached", detached[1], before[1], " than before any view");
	/* five instructions, for a kernel thread, for each of two hooks: what is compared above would show them */
	with = cost_of(FILTERED, 1);
	report(with.least > detached[1].least && with.usual > detached[1].usual,
	       "cost-flow-filter", with, detached[1], " for everybody");
}

const struct test_case cases_flow_cost[] = {
	{ "flow-cost", flow_cost, COST, 0, "instructions per packet" },
	{ 0 },
};
