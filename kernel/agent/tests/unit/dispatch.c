// SPDX-License-Identifier: GPL-2.0
/*
 * Calls that leave their function by a jump through a variable, to a function that is measured, is
 * no longer, or never was; and calls that are shorter than what is taken off them.  A child of the
 * test's own makes them, the functions are described here by hand.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "mechanism/trap/calibration_code.h"
#include "mechanism/trap/xprobe.h"

#define CALLS	20

#if defined(__x86_64__)

/* t_dispatch jumps to where t_variable points, or back into itself and then returns. */
void t_dispatch(void);
extern const char t_dispatch_start[], t_dispatch_jump[], t_dispatch_stays[], t_dispatch_ret[],
		  t_dispatch_end[], t_target[], t_target_ret[];
__attribute__((used)) const void *volatile t_variable;
__asm__(".text\n"
	".globl t_dispatch, t_dispatch_start, t_dispatch_jump, t_dispatch_stays, t_dispatch_ret, t_dispatch_end, t_target, t_target_ret\n"
	"t_dispatch: t_dispatch_start: push %rbp\n pop %rbp\n mov t_variable(%rip),%rax\n"
	"t_dispatch_jump: jmp *%rax\n"
	"t_dispatch_stays: nop\nt_dispatch_ret: ret\n"
	"t_dispatch_end: nop\n"
	"t_target: push %rbp\n pop %rbp\nt_target_ret: ret\n");

static uint64_t at(const char *place)
{
	return calibration_code__offset(place);
}

static struct fn_site site(const char *place, enum fn_site_kind kind)
{
	return (struct fn_site){ .address = at(place), .file_offset = at(place), .kind = kind,
				 .cost = FN_INSN_SINGLE_STEPPED, .goes_on = -1 };
}

static struct traced {
	pid_t pid;
	int ready[2], go[2];
} child;

static void start(void)
{
	char jumps_to;

	if (pipe(child.ready) || pipe(child.go))
		exit(1);
	child.pid = fork();
	if (child.pid)
		return;
	while (read(child.go[0], &jumps_to, 1) == 1) {
		t_variable = jumps_to ? t_target : t_dispatch_stays;
		for (int i = 0; i < CALLS; i++)
			t_dispatch();
		if (write(child.ready[1], &jumps_to, 1) != 1)
			break;
	}
	_exit(0);
}

static void run(bool jumps_away)
{
	char byte = jumps_away;

	if (write(child.go[1], &byte, 1) != 1 || read(child.ready[0], &byte, 1) != 1)
		exit(1);
}

/* Those of a function since the last time. */
static struct xp_calls since(struct xprobe *xprobe, size_t function, uint64_t *timed)
{
	static struct xp_calls before[2];
	static uint64_t timed_before[2];
	struct figures counts = xprobe__figures(xprobe);
	struct xp_calls now = figures__calls(&counts, function), new = now;

	new.calls -= before[function].calls;
	new.cut -= before[function].cut;
	new.passed -= before[function].passed;
	new.inconsistent -= before[function].inconsistent;
	*timed = figures__timed(&counts, function) - timed_before[function];
	timed_before[function] += *timed;
	before[function] = now;
	return new;
}

static void measure(struct xprobe *xprobe, struct xprobe_function *functions)
{
	struct error error = { 0 };
	struct xp_calls calls;
	uint64_t timed;

	if (xprobe__attach(xprobe, child.pid, functions, 2, &error)) {
		check(false, error.message, 0);
		return;
	}
	run(true);
	calls = since(xprobe, 0, &timed);
	check(calls.calls == CALLS && timed == CALLS && !calls.cut,
	      "through a variable to what is measured: timed until that returns", timed);
	since(xprobe, 1, &timed);
	check(timed == CALLS, "through a variable to what is measured: so is that", timed);

	run(false);
	calls = since(xprobe, 0, &timed);
	check(timed == CALLS && calls.passed == CALLS && !calls.cut,
	      "through a variable back into itself: the jump ends nothing", calls.passed);

	if (xprobe__drop(xprobe, child.pid, functions + 1, 1, functions, 1, &error))
		check(false, error.message, 0);
	run(true);
	calls = since(xprobe, 0, &timed);
	check(timed == CALLS && calls.cut == CALLS,
	      "through a variable to what is no longer measured: timed until the jump", calls.cut);

	for (uint32_t class = 0; class < XP_COST_CLASSES; class++)
		xprobe__set_cost(xprobe, class, (struct xp_cost){ .inner_ns = 1000000000,
								  .call_ns = 1000000000 });
	run(true);
	calls = since(xprobe, 0, &timed);
	check(timed == CALLS && calls.inconsistent == CALLS,
	      "shorter than what is taken off: each is told as inconsistent", calls.inconsistent);
	xprobe__detach(xprobe);
	for (size_t i = 0; i < 2; i++) {
		struct figures counts = xprobe__figures(xprobe);
		uint64_t fates;

		calls = figures__calls(&counts, i);
		fates = figures__timed(&counts, i) + calls.abandoned + calls.unfinished;
		for (int way = 0; way < XP_LOST_WAYS; way++)
			fates += calls.lost[way];
		check(fates == calls.calls, "every call has one fate", calls.calls);
	}
}

int main(void)
{
	struct fn_site sites[] = { site(t_dispatch_jump, FN_SITE_JUMP_REG),
				   site(t_dispatch_ret, FN_SITE_RET) };
	struct fn_site target_site = site(t_target_ret, FN_SITE_RET);
	struct fn_range ranges[] = { { at(t_dispatch_start), at(t_dispatch_end) },
				     { at(t_target), at(t_target_ret) + 1 } };
	struct fn_function described[] = {
		{ .name = "t_dispatch", .address = at(t_dispatch_start), .sites = sites,
		  .nr_sites = 2, .ranges = &ranges[0], .nr_ranges = 1 },
		{ .name = "t_target", .address = at(t_target), .sites = &target_site,
		  .nr_sites = 1, .ranges = &ranges[1], .nr_ranges = 1 },
	};
	struct xprobe_opts opts = { .nr_functions = 2 };
	struct xprobe_function functions[2];
	struct error error = { 0 };
	struct xprobe *xprobe;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (uint32_t i = 0; i < 2; i++) {
		described[i].file_offset = described[i].entry_offset = described[i].address;
		described[i].exit_kind = FN_EXIT_SITES;
		described[i].entry_cost = FN_INSN_EMULATED;
		functions[i] = (struct xprobe_function){
			.id = i, .path = "/proc/self/exe", .function = &described[i] };
	}
	start();
	xprobe = xprobe__new(&opts, &error);
	if (xprobe)
		measure(xprobe, functions);
	else
		check(false, error.message, 0);
	xprobe__free(xprobe);
	kill(child.pid, SIGKILL);
	waitpid(child.pid, NULL, 0);
	return failed;
}

#else

int main(void)
{
	return 0;
}

#endif
