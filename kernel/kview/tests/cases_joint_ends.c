// SPDX-License-Identifier: GPL-2.0
/* Several clients of one process: as many as can be, without memory, listed, closed. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "harness.h"

/* As many views as there can be, closed in another order than they came. */
static void joint_many(void)
{
	enum { MANY = 16 };
	struct worker a = worker_start();
	struct kview_attachment *att[MANY];
	struct kview_view *v[MANY + 1];
	struct kview_set *s[MANY];
	uint64_t expected[MANY] = { 0 };
	bool in[MANY] = { false };
	const struct kview_item *owner;
	unsigned int seed = 3;
	struct kview_item item;
	int i, j, found = 0;

	for (i = 0; i < MANY; i++) {
		v[i] = view();
		s[i] = functions(v[i], "vfs_read", i % 2 ? "read_zero" : "ksys_read", NULL);
		att[i] = attach(v[i], a.pid, 0);
		in[i] = true;
	}
	v[MANY] = view();
	CHECK(!kview_view__attach(v[MANY], a.pid, 0) && errno == EUSERS);
	/* one of those who have it */
	owner = kview_view__owner(v[MANY]);
	CHECK(owner && owner->target_pid == (uint32_t)a.pid);
	for (i = 0; i < MANY; i++) {
		CHECK_OK(kview_attachment__item(att[i], &item));
		found += item.id == owner->id;
	}
	CHECK_EQ(found, 1);
	for (i = 0; i < 2 * MANY; i++) {
		worker_do(&a, OP_READ, 100);
		for (j = 0; j < MANY; j++) {
			expected[j] += in[j] ? 100 : 0;
			CHECK_EQ(hits(s[j], 0), expected[j]);
			CHECK_EQ(hits(s[j], 1), expected[j]);
		}
		j = rand_r(&seed) % MANY;
		if (in[j])
			kview_attachment__free(att[j]);
		else
			att[j] = attach(v[j], a.pid, 0);
		in[j] = !in[j];
	}
	worker_quit(&a);
	figure("%d clients of one process, %d times one came or went; one more: EUSERS, and who has it", MANY,
	       2 * MANY);
}

/* Nothing but the one who ran out of memory notices that. */
static void joint_failures(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view(), *w = view(), *x = view();
	struct kview_set *s = functions(v, "vfs_read", NULL), *t = functions(w, "ksys_read", NULL);
	struct kview_set *u = functions(x, "read_zero", NULL);
	struct kview_attachment *stays, *b, *c;
	int i, failed = 0;

	stays = attach(v, a.pid, 0);
	for (i = 1; i < 200; i++) {
		uint64_t n = hits(s, 0), m = hits(t, 0), k = hits(u, 0);

		fail_at(i);
		b = kview_view__attach(w, a.pid, KVIEW_ATTACH_FORK);
		CHECK(b || errno == ENOMEM || errno == EMFILE);
		c = kview_view__attach(x, a.pid, 0);
		CHECK(c || errno == ENOMEM || errno == EMFILE);
		failed += !b + !c;
		worker_do(&a, OP_READ, 10);
		/* three become two: a text for these two takes memory */
		kview_attachment__free(b);
		worker_do(&a, OP_READ, 10);
		CHECK_EQ(hits(s, 0), n + 20);
		CHECK_EQ(hits(t, 0), m + (b ? 10 : 0));
		CHECK_EQ(hits(u, 0), k + (c ? 20 : 0));
		kview_attachment__free(c);
		if (!fail_over())
			break;
	}
	CHECK(i > 20 && i < 200);
	worker_quit(&a);
	figure("%d allocations failed one at a time, %d calls returned an error", i - 1, failed);
	kview_attachment__free(stays);
	kview_set__free(s);
	kview_set__free(t);
	kview_set__free(u);
	kview_view__free(v);
	kview_view__free(w);
	kview_view__free(x);
}

/* Both are listed, each as its own; a view that is closed takes its process out, not the other's. */
static void joint_listed(void)
{
	struct worker a = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_set *s = functions(v, "vfs_read", NULL), *t = functions(w, "vfs_read", NULL);
	struct kview_attachment *b = attach(v, a.pid, 0), *c;
	struct kview_view_stat alone, joint;
	struct kview_attach_stat st;
	struct kview_item *items;
	size_t i, n, found = 0;

	CHECK_OK(kview_view__stat(w, &alone));
	c = attach(w, a.pid, 0);
	/* EBUSY is for the same view alone, and names its own */
	CHECK(!kview_view__attach(w, a.pid, 0) && errno == EBUSY && kview_view__owner(w));
	CHECK(!kview_view__attach(v, a.pid, 0) && errno == EBUSY && kview_view__owner(v));
	CHECK(kview_view__owner(v)->view != kview_view__owner(w)->view);
	CHECK_OK(kview_view__stat(w, &joint));
	CHECK(joint.memory > alone.memory + 8 * 4096);	/* tables for two views, and a page of text */
	CHECK_OK(kview__list(dev(), &items, &n));
	for (i = 0; i < n; i++)
		found += items[i].type == KVIEW_ITEM_ATTACHMENT && items[i].processes == 1 &&
			 items[i].target_pid == (uint32_t)a.pid;
	free(items);
	CHECK_EQ(found, 2);
	kview_view__free(v);
	worker_do(&a, OP_READ, 100);
	CHECK_EQ(hits(s, 0), 0);
	CHECK_EQ(hits(t, 0), 100);
	CHECK_OK(kview_attachment__stat(b, &st));
	CHECK_EQ(st.processes, 0);
	worker_quit(&a);
	figure("2 attachments of one process; %llu bytes of text for both",
	       (unsigned long long)(joint.memory - alone.memory));
	kview_attachment__free(b);
	kview_attachment__free(c);
	kview_set__free(s);
	kview_set__free(t);
	kview_view__free(w);
}

static int calls_of(const char *function)
{
	char mark[64];

	snprintf(mark, sizeof(mark), ": %s ", function);
	return count_lines(TRACING "trace", mark, NULL, NULL);
}

/*
 * A text for two is made of pages that are copied once, when the second client comes; who follows
 * both by fork or execve finds it made.
 */
static void joint_made_once(void)
{
	enum { FOLLOW = KVIEW_ATTACH_FORK | KVIEW_ATTACH_EXEC, N = 20 };
	struct worker a = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_set *s = functions(v, "vfs_read", "do_exit", NULL);
	struct kview_set *t = functions(w, "vfs_read", "do_exit", NULL);
	struct kview_attachment *b, *c;
	struct kview_view_stat vst;
	struct kview_attach_stat st;
	int copies, forks, execs;

	/* the hooks of its own that each view needs, before anything is counted */
	kview_attachment__free(attach(v, a.pid, FOLLOW));
	kview_attachment__free(attach(w, a.pid, FOLLOW));
	CHECK_OK(kview_view__stat(w, &vst));
	b = attach(v, a.pid, FOLLOW);
	tracer_on("kview_copy_get", "kview_text_init");
	c = attach(w, a.pid, FOLLOW);
	CHECK_EQ(calls_of("kview_text_init"), 1);
	copies = calls_of("kview_copy_get");
	write_file(TRACING "trace", "");
	worker_do(&a, OP_FORKS, N);
	forks = calls_of("kview_text_init");
	worker_begin(&a, OP_EXECS, N);
	while (worker_done(&a) < N)
		usleep(2000);
	execs = calls_of("kview_text_init") - forks;
	tracer_off();
	CHECK_OK(kview_attachment__stat(c, &st));
	CHECK_EQ(st.join_failed, 0);
	CHECK(st.joined >= 2 * N);
	kill(a.pid, SIGKILL);
	waitpid(a.pid, NULL, 0);
	figure("%d pages copied; a text made for %d of %d forks and %d of %d execs", copies, forks, N,
	       execs, N);
	CHECK_EQ(copies, vst.text_pages);
	CHECK_EQ(forks, 0);
	CHECK_EQ(execs, 0);
	kview_attachment__free(b);
	kview_attachment__free(c);
	kview_set__free(s);
	kview_set__free(t);
	kview_view__free(v);
	kview_view__free(w);
}

const struct test_case cases_joint_ends[] = {
	{ "two-clients-many", joint_many, ONCE, 0, "16 clients of one process come and go" },
	{ "two-clients-fail", joint_failures, ONCE, 0, "each allocation fails in turn" },
	{ "two-clients-made-once", joint_made_once, ONCE, 0,
	  "no page of their text is copied twice, nor for who follows by fork or execve" },
	{ "two-clients-listed", joint_listed, ONCE, 0, "who is named, whose memory it is, a closed view" },
	{ 0 },
};
