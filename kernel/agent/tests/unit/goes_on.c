// SPDX-License-Identifier: GPL-2.0
/*
 * Calls that leave their function by a jump and end in another one: a child of the test's own
 * makes them, the functions are described here by hand.  Also what loads the programs where
 * nothing but this runs: on other kernels.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "child.h"
#include "mechanism/trap/calibration_code.h"
#include "mechanism/trap/xprobe.h"

#define CALLS	20
#define PAUSE_NS	2000000ULL

#if defined(__x86_64__)

static jmp_buf out;
static volatile bool jumps_out;

void pause_or_leave(void);
/* What the last function of the chain does before it returns. */
__attribute__((used)) void pause_or_leave(void)
{
	struct timespec pause = { 0, PAUSE_NS };

	nanosleep(&pause, NULL);
	if (jumps_out)
		longjmp(out, 1);
}

/* handle jumps to process, that to finish. */
void t_handle(void);
extern const char t_handle_start[], t_handle_jump[], t_process[], t_process_jump[], t_finish[], t_finish_ret[];
__asm__(".text\n"
	".globl t_handle, t_handle_start, t_handle_jump, t_process, t_process_jump, t_finish, t_finish_ret\n"
	"t_handle: t_handle_start: push %rbp\n pop %rbp\nt_handle_jump: jmp t_process\n"
	"t_process: push %rbp\n pop %rbp\nt_process_jump: jmp t_finish\n"
	"t_finish: push %rbp\n call pause_or_leave\n pop %rbp\nt_finish_ret: ret\n");

static int failed;

static void check(bool good, const char *name, const char *what, unsigned long long figure)
{
	printf("%s %s: %s: %llu\n", good ? "ok" : "not ok", name, what, figure);
	failed |= !good;
}

static struct fn_site site(const char *place, enum fn_site_kind kind, int goes_on)
{
	uint64_t offset = calibration_code__offset(place);

	return (struct fn_site){
		.address = offset, .file_offset = offset, .kind = kind, .goes_on = goes_on,
		.cost = kind == FN_SITE_RET ? FN_INSN_SINGLE_STEPPED : FN_INSN_EMULATED,
	};
}

static void make_calls(const struct own_child *child, int how)
{
	volatile int i;	/* also after longjmp() */

	for (i = 0; i < CALLS; i++) {
		jumps_out = false;
		t_handle();
	}
	for (i = 0; i < CALLS; i++) {
		jumps_out = true;
		if (!setjmp(out))
			t_handle();
	}
}

/* One recording: of handle, and of process as well if wanted; finish can be followed, or not. */
static void record(const char *name, bool process_probed, bool followed)
{
	struct fn_site handle_site = site(t_handle_jump, FN_SITE_JUMP, 0);
	struct fn_site process_site = site(t_process_jump, FN_SITE_JUMP, 1);
	struct fn_site finish_site = site(t_finish_ret, FN_SITE_RET, -1);
	struct fn_continuation goes_on[] = {
		{ .name = "t_process", .file_offset = calibration_code__offset(t_process),
		  .followed = true, .sites = &process_site, .nr_sites = 1 },
		{ .name = "t_finish", .file_offset = calibration_code__offset(t_finish),
		  .followed = followed, .sites = &finish_site, .nr_sites = 1 },
	};
	struct fn_function described[] = {
		{ .name = "t_handle", .file_offset = calibration_code__offset(t_handle_start),
		  .sites = &handle_site, .goes_on = goes_on },
		{ .name = "t_process", .file_offset = calibration_code__offset(t_process),
		  .sites = &process_site, .goes_on = goes_on },
	};
	struct xprobe_function functions[2];
	struct xprobe_opts opts = { .nr_functions = 2, .waits = true };
	int i, nr = process_probed ? 2 : 1;
	struct error error = { 0 };
	struct figures counts;
	struct xprobe *xprobe;
	struct own_child child;

	for (i = 0; i < 2; i++) {
		described[i].address = described[i].entry_offset = described[i].file_offset;
		described[i].exit_kind = FN_EXIT_SITES;
		described[i].entry_cost = FN_INSN_EMULATED;
		described[i].nr_sites = 1;
		described[i].nr_goes_on = 2;
		functions[i] = (struct xprobe_function){ .id = i, .path = "/proc/self/exe",
							 .function = &described[i] };
	}
	child = child__start(make_calls, 0);
	xprobe = xprobe__new(&opts, &error);
	if (!xprobe || xprobe__attach(xprobe, child.pid, functions, nr, &error)) {
		printf("not ok %s: %s\n", name, error.message);
		failed = 1;
		goto out;
	}
	child__go_on(&child);
	xprobe__detach(xprobe);
	counts = xprobe__figures(xprobe);
	for (i = 0; i < nr; i++) {
		struct xp_calls calls = figures__calls(&counts, i);
		uint64_t timed = figures__timed(&counts, i);
		uint64_t wall = figures__total(&counts, i, XP_WALL).total_ns;
		uint64_t left = calls.abandoned + calls.unfinished +
				calls.lost[XP_LOST_END_UNSEEN];

		check(calls.calls == 2 * CALLS, name, described[i].name, calls.calls);
		if (followed) {
			check(timed == CALLS && !calls.cut, name, "those that return are timed", timed);
			check(wall >= CALLS * PAUSE_NS, name, "until the caller has control, ns", wall);
			check(left == CALLS, name, "those that are left are not", left);
		} else {
			check(timed == 2 * CALLS && calls.cut == timed, name,
			      "all are timed, and marked as cut", calls.cut);
		}
	}
out:
	xprobe__free(xprobe);
	child__end(&child);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	record("nothing else is measured", false, true);
	record("what it jumps to is measured", true, true);
	record("the end can't be followed", false, false);
	record("the end can't be followed from what it jumps to", true, false);
	return failed;
}

#else

int main(void)
{
	return 0;
}

#endif
