// SPDX-License-Identifier: GPL-2.0
/* Sites become active, and cease to be, at one instant for all CPUs and all sets. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "harness.h"

enum { CALLS, RETURNS, ABOVE, SETS };

static struct kview_view *v;
static struct kview_set *set[SETS];
static struct kview_attachment *att;
static struct worker a;
static uint32_t set_flags;

static void do_attach(void)
{
	att = attach(v, a.pid, 0);
}

static void do_detach(void)
{
	kview_attachment__free(att);
}

static void sets_add(void)
{
	static const char *const name[] = { "vfs_read", "ksys_read" };
	struct kview_set_opts opts = { .flags = set_flags };

	set[CALLS] = kview_view__add_functions(v, name, 1, &opts);
	set[RETURNS] = kview_view__add_returns(v, name, 1, &opts);
	set[ABOVE] = kview_view__add_functions(v, name + 1, 1, &opts);
	CHECK(set[CALLS] && set[RETURNS] && set[ABOVE]);
}

static void sets_free(void)
{
	int i;

	for (i = 0; i < SETS; i++)
		kview_set__free(set[i]);
}

static void do_on(void)
{
	CHECK_OK(kview_view__switch(v, set, SETS, 1));
}

static void do_off(void)
{
	CHECK_OK(kview_view__switch(v, set, SETS, 0));
}

static void check_hits(uint64_t n)
{
	int i;

	for (i = 0; i < SETS; i++)
		CHECK_EQ(hits(set[i], 0), n);
}

static void begin(uint32_t flags)
{
	set_flags = flags;
	a = worker_start();
	v = view();
	sets_add();
}

static void end(void)
{
	worker_quit(&a);
	sets_free();
	kview_view__free(v);
}

/* Whatever text is shown by then: nothing counts before the instant, nothing after it. */
static void instant_attach(void)
{
	struct kview_stat before = stat_now(), after;
	struct kview_set_opts opts = { .flags = KVIEW_SET_OFF };
	const char *elsewhere = "vfs_write";
	struct kview_set *off;
	struct held h;

	begin(0);
	/* what is switched off elsewhere changes nothing of what is counted here */
	off = kview_view__add_functions(v, &elsewhere, 1, &opts);
	CHECK(off);
	held_begin(&h, do_attach);
	worker_do(&a, OP_READ_THREADS, 100);
	held_end(&h);
	check_hits(0);
	worker_do(&a, OP_READ_THREADS, 500);
	check_hits(2000);
	held_begin(&h, do_detach);
	worker_do(&a, OP_READ_THREADS, 100);
	held_end(&h);
	worker_do(&a, OP_READ_THREADS, 100);
	check_hits(2000);
	after = stat_now();
	/* they were turned away by the hooks, which were there: two a read */
	CHECK(after.rejected_left - before.rejected_left >= 2 * 400 * 2);
	CHECK_EQ(after.rejected_elsewhere - before.rejected_elsewhere, 0);
	CHECK_EQ(hits(off, 0), 0);
	kview_set__free(off);
	end();
	figure("2000 of 2000 between two instants, none of 1200 around them");
}

/* The same of sets in a view that has a process. */
static void instant_sets(void)
{
	struct kview_stat before = stat_now(), after;
	struct kview_item item;
	struct held h;
	int i;

	begin(KVIEW_SET_OFF);
	do_attach();
	worker_do(&a, OP_READ, 100);
	CHECK_OK(kview_set__item(set[CALLS], &item));
	CHECK(item.flags & KVIEW_ITEM_OFF);
	for (i = 0; i < 3; i++) {
		held_begin(&h, do_on);
		worker_do(&a, OP_READ_THREADS, 100);
		held_end(&h);
		check_hits(i * 2400);
		worker_do(&a, OP_READ_THREADS, 500);
		do_on();			/* changes nothing */
		check_hits(i * 2400 + 2000);
		CHECK_OK(kview_set__item(set[CALLS], &item));
		CHECK(!(item.flags & KVIEW_ITEM_OFF));
		held_begin(&h, do_off);
		worker_do(&a, OP_READ_THREADS, 100);
		held_end(&h);
		worker_do(&a, OP_READ, 100);
		do_off();
		check_hits((i + 1) * 2400);
	}
	after = stat_now();
	CHECK_EQ(after.rejected_left - before.rejected_left, 0);
	do_detach();
	end();
	figure("3 times on and off: 2400 of 2400 in between, none of 600 around");
}

static atomic_bool may_be_on, reading;

static long looks, wrong;

/* Another thread reads the counters all the time. */
static void *read_always(void *unused)
{
	uint64_t now, last = 0;

	while (reading) {
		now = hits(set[RETURNS], 0);	/* first at its place */
		looks++;
		wrong += now < last || (now && !may_be_on);
		last = now;
	}
	return unused;
}

/* Hooks look at each call while sets are switched; nobody sees what they are not to count. */
static void instant_reads(void)
{
	struct held h;
	pthread_t reader;
	int i;

	begin(KVIEW_SET_OFF);
	do_attach();
	/* they take long to say no */
	module_param_set("delay", "20");
	may_be_on = false;
	reading = true;
	CHECK(!pthread_create(&reader, NULL, read_always, NULL));
	worker_do(&a, OP_READ, 100);
	held_begin(&h, do_on);
	worker_do(&a, OP_READ_THREADS, 5000);
	may_be_on = true;
	held_end(&h);
	worker_begin(&a, OP_READ_THREADS, 5000);
	for (i = 0; i < 3 || !worker_idle(&a); i++) {
		do_off();
		do_on();
	}
	worker_wait(&a);
	do_off();
	module_param_set("delay", "0");
	reading = false;
	CHECK(!pthread_join(reader, NULL));
	CHECK_EQ(hits(set[CALLS], 0), hits(set[RETURNS], 0));
	do_detach();
	end();
	figure("%ld looks, %ld of them at a hit that was taken back", looks, wrong);
	CHECK(looks > 0);
	CHECK_EQ(wrong, 0);
}

static struct kview_set *added;

static void do_add(void)
{
	added = functions(v, "vfs_read", "ksys_read", NULL);
}

/* A set that is added: each of its sites, at the same instant. */
static void instant_add(void)
{
	struct held h;

	begin(0);
	do_attach();
	worker_do(&a, OP_READ, 100);
	check_hits(100);
	held_begin(&h, do_add);
	worker_do(&a, OP_READ_THREADS, 100);
	held_end(&h);
	check_hits(500);		/* the others go on */
	CHECK_EQ(hits(added, 0) + hits(added, 1), 0);
	worker_do(&a, OP_READ_THREADS, 100);
	CHECK_EQ(hits(added, 0), 400);
	CHECK_EQ(hits(added, 1), 400);
	check_hits(900);
	kview_set__free(added);
	worker_do(&a, OP_READ, 100);
	check_hits(1000);
	do_detach();
	end();
	figure("a set added beside others: 400 of 400 each, and 1000 of 1000");
}

/*
 * Threads call a function all the time, on all CPUs, while a set of its entries and one of
 * its returns come and go: each has counted what the other has.
 */
static void instant_pairs(void)
{
	int calls = bpf_map(), returned = bpf_map(), i, busy = 0;
	struct kview_set_stat st;
	uint64_t n, last = 0;

	begin(KVIEW_SET_OFF);
	CHECK_OK(kview_set__add_prog(set[CALLS], bpf_prog_count(PROG_KPROBE, calls, 0), 0, NULL));
	CHECK_OK(kview_set__add_prog(set[RETURNS], bpf_prog_count(PROG_KPROBE, returned, 0), 0,
				     NULL));
	do_attach();
	worker_begin(&a, OP_READ_THREADS, repeats(120000, 200000));
	for (i = 0; i < 6 || !worker_idle(&a); i++) {
		bool detach = i % 3 == 2;

		do_on();
		usleep(1000);
		if (detach)
			do_detach();
		else
			do_off();
		n = hits(set[CALLS], 0);
		CHECK_EQ(hits(set[RETURNS], 0), n);
		/* four threads: as many may be between the two functions */
		CHECK(labs((long)(hits(set[ABOVE], 0) - n)) <= 4 * (i + 1));
		if (detach) {
			do_off();
			do_attach();
		}
		busy += n > last;
		last = n;
	}
	worker_wait(&a);
	CHECK_OK(kview_set__stat(set[RETURNS], &st));
	CHECK_EQ(bpf_map_get(calls), last);
	CHECK_EQ(bpf_map_get(returned) + st.lost_returns + st.missed, last);
	CHECK(busy > 2);
	do_detach();
	end();
	figure("%llu entries and as many returns in %d rounds", (unsigned long long)last, busy);
}

static int switch_raw(struct kview_view *view, const int32_t *fd, uint32_t n, uint32_t flags)
{
	struct kview_sets_switch arg = { .sets = (uintptr_t)fd, .count = n, .flags = flags };

	return ioctl(kview_view__fd(view), KVIEW_SETS_SWITCH, &arg) ? errno : 0;
}

static void instant_bad(void)
{
	struct kview_view *other;
	int32_t fd[KVIEW_SWITCH_MAX + 1] = { 0 };

	begin(KVIEW_SET_OFF);
	other = view();
	do_attach();
	fd[0] = kview_set__fd(set[0]);
	fd[1] = kview_set__fd(set[1]);
	CHECK_EQ(switch_raw(v, fd, 0, KVIEW_SWITCH_ON), EINVAL);
	CHECK_EQ(switch_raw(v, fd, 2, 2), EINVAL);
	CHECK_EQ(switch_raw(v, fd, KVIEW_SWITCH_MAX + 1, KVIEW_SWITCH_ON), E2BIG);
	CHECK_EQ(switch_raw(v, (int32_t *)8, 2, KVIEW_SWITCH_ON), EFAULT);
	CHECK_EQ(switch_raw(other, fd, 2, KVIEW_SWITCH_ON), EINVAL);
	fd[2] = kview_view__fd(v);
	CHECK_EQ(switch_raw(v, fd, 3, KVIEW_SWITCH_ON), EINVAL);
	fd[2] = -1;
	CHECK_EQ(switch_raw(v, fd, 3, KVIEW_SWITCH_ON), EBADF);
	fd[2] = fd[0];
	CHECK_EQ(switch_raw(v, fd, 3, KVIEW_SWITCH_ON), EEXIST);
	worker_do(&a, OP_READ, 100);
	check_hits(0);			/* nothing was changed */
	CHECK_EQ(switch_raw(v, fd, 2, KVIEW_SWITCH_ON), 0);
	worker_do(&a, OP_READ, 100);
	CHECK(hits(set[0], 0) == 100 && hits(set[1], 0) == 100 && hits(set[2], 0) == 0);
	do_off();

	/* a set that is off can be changed, and closed, and its view, too */
	CHECK_OK(kview_set__add_prog(set[0], bpf_prog_empty(PROG_KPROBE), 0, NULL));
	kview_set__free(set[1]);
	set[1] = set[2];
	CHECK_OK(kview_view__switch(v, set, 2, 1));
	worker_do(&a, OP_READ, 100);
	CHECK(hits(set[0], 0) == 200 && hits(set[1], 0) == 100);
	do_detach();
	kview_view__free(v);
	kview_view__free(other);
	kview_set__free(set[0]);
	kview_set__free(set[1]);
	worker_quit(&a);
	figure("8 of 8 refused");
}

const struct test_case cases_instant[] = {
	{ "instant-attach", instant_attach, ONCE, 0,
	  "all sites become active when the process is attached, by one step for all CPUs" },
	{ "instant-sets", instant_sets, ONCE, 0,
	  "... or when their sets are switched on, and cease to be, together" },
	{ "instant-add", instant_add, ONCE, 0,
	  "... or when a set is added to a view with a process" },
	{ "instant-reads", instant_reads, ONCE, 0,
	  "who reads counters while sets are switched sees no hit that is taken back" },
	{ "instant-pairs", instant_pairs, ONCE, 0,
	  "entries and returns counted on all CPUs while their sets come and go are equal" },
	{ "instant-bad", instant_bad, ONCE, 0, "what cannot be switched" },
	{ 0 },
};
