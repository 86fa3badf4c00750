// SPDX-License-Identifier: GPL-2.0
/* Live patches. */
#include <stdlib.h>

#include "harness.h"
#include "modules.h"
#include "text.h"

#define N	200

/* What a kernel function is replaced by is run in a view, too, and hooks at it lose nothing. */
static void livepatch(void)
{
	const char *const func[] = { "read_zero" };
	struct kview_set_opts filter = { .flags = KVIEW_SET_FILTER };
	struct worker a = worker_start(), b = worker_start(), c = worker_start();
	struct kview_view *v = view(), *w = view();
	struct kview_set *s, *r, *t, *f;
	struct text *before = text_read();

	if (!module_file_exists(LIVEPATCH)) {
		figure("this kernel has no live patches");
		return;
	}
	s = functions(v, "read_zero", "vfs_read", NULL);
	r = kview_view__add_returns(v, func, 1, NULL);
	CHECK(r);
	attach(v, a.pid, 0);
	worker_do(&a, OP_READ, N);
	CHECK_EQ(hits(s, 0), N);

	CHECK_OK(module_file_load(LIVEPATCH));
	livepatch_settle();
	worker_do(&a, OP_READ, N);
	worker_do(&b, OP_READ_MIGRATE, N);
	CHECK_EQ(livepatch_calls(), 2 * N);
	CHECK_EQ(hits(s, 0), 2 * N);
	CHECK_EQ(hits(s, 1), 2 * N);
	CHECK_EQ(hits(r, 0), 2 * N);
	/* a copy that is made of text that is patched already */
	t = functions(w, "read_zero", "vfs_write", NULL);
	attach(w, c.pid, 0);
	worker_do(&c, OP_READ_MIGRATE, N);
	CHECK_EQ(hits(t, 0), N);
	CHECK_EQ(livepatch_calls(), 3 * N);
	/* of these two ftrace has one for a function */
	CHECK(!kview_view__add_functions(v, func, 1, &filter) && errno == EBUSY);

	livepatch_unload();
	worker_do(&a, OP_READ_MIGRATE, N);
	worker_do(&c, OP_READ, N);
	CHECK_EQ(hits(s, 0), 3 * N);
	CHECK_EQ(hits(r, 0), 3 * N);
	CHECK_EQ(hits(t, 0), 2 * N);
	f = kview_view__add_functions(v, func, 1, &filter);
	CHECK(f);
	CHECK_EQ(module_file_load(LIVEPATCH), -EBUSY);
	worker_do(&a, OP_READ, N);
	CHECK_EQ(hits(f, 0), N);
	CHECK_EQ(hits(s, 0), 4 * N);
	kview_set__free(f);
	worker_quit(&a);
	worker_quit(&b);
	worker_quit(&c);
	kview_view__free(v);
	kview_view__free(w);
	text_check(before);
	figure("%d of %d calls, while and after it is patched; the text is as it was", 4 * N, 4 * N);
}

const struct test_case cases_livepatch[] = {
	{ "livepatch", livepatch, PLAIN, 0, "a hooked function is live-patched" },
	{ 0 },
};
