// SPDX-License-Identifier: GPL-2.0
/* A process that can't come into a view of the kernel, as it is within an execve: with auto it is measured without, which is told once. */
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "mechanism/shared_view.h"

static int never(void *context, struct kview_view *view, struct error *error)
{
	check(false, "view_done_without: no hook is made", 0);
	return -1;
}

static void nothing(void *context)
{
}

int main(void)
{
	const struct view_user user = { .add = never, .remove = nothing };
	struct error hangs = { 0 }, error = { 0 };
	struct shared_view view;
	int used;

	process_view__hangs(4711, 30, &hangs);
	shared_view__init(&view, getpid(), KVIEW__WIRE__FILTER__FILTER_AUTO);
	shared_view__do_without(&view, &hangs);
	used = shared_view__use(&view, &user, &error);
	used += shared_view__use(&view, &user, &error);
	check(!used && !error.code, "view_done_without: auto measures without", used);
	check(!strcmp(view.why, hangs.message), "view_done_without: why is told once", strlen(view.why));
	shared_view__close(&view);

	shared_view__init(&view, getpid(), KVIEW__WIRE__FILTER__FILTER_VIEW);
	shared_view__do_without(&view, &hangs);
	used = shared_view__use(&view, &user, &error);
	check(used == -1 && strstr(error.message, "within an execve that did not end in 30 s"), "view_done_without: view is refused", error.code);
	shared_view__close(&view);
	return failed;
}
