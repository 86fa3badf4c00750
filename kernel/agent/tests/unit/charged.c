// SPDX-License-Identifier: GPL-2.0
/*
 * What is taken off calls for their probes, to the ns: an end is charged as its kind, a site that is passed as a
 * passed site, and a caller with all of it.  Prices are set by hand, so that nothing depends on what probes cost here; a child
 * of the test's own makes the calls.
 */
#include "base/error.h"
#include "check.h"
#include "child.h"
#include "mechanism/trap/calibration_code.h"
#include "mechanism/trap/xprobe.h"

#if defined(__x86_64__)

#define OUTER	10
#define INNER	50
#define NE	5	/* the condition of jne, in its opcode's low nibble */

/* t_inner ends by its return, or if x is odd by a jump to where no end is probed; its first jump is passed always. */
void t_inner(int x);
void t_outer(int x);
extern const char t_inner_pass[], t_inner_jump[], t_inner_ret[], t_leaf[], t_outer_ret[];
__asm__(".text\n.globl t_inner, t_inner_pass, t_inner_jump, t_inner_ret, t_leaf, t_outer, t_outer_ret\n"
	"t_leaf: ret\n"
	"t_inner: push %rbp\n pop %rbp\n test $2, %edi\nt_inner_pass: jne t_leaf\n"
	" test $1, %edi\nt_inner_jump: jne t_leaf\nt_inner_ret: ret\n"
	"t_outer: push %rbp\n call call_inner\n pop %rbp\nt_outer_ret: ret\n");

void call_inner(int x);
__attribute__((used)) void call_inner(int x)
{
	for (int i = 0; i < INNER; i++)
		t_inner(x);
}

/* Of each class another one, and all less than what the probes take in truth: no call is too short for them. */
static struct xp_cost price(uint32_t class)
{
	return (struct xp_cost){ .inner_ns = 10 + class, .call_ns = 31 + 7 * class * class, .entry_ns = 5 };
}

#define BY_RETURN	price(XP_COST_CALL(XP_ENTRY_EMULATED, XP_EXIT_STEPPED))
#define BY_JUMP		price(XP_COST_CALL(XP_ENTRY_EMULATED, XP_EXIT_EMULATED))
#define PASSED		price(XP_COST_PASS(XP_EXIT_EMULATED))

static struct fn_site site(const char *place, enum fn_site_kind kind, int goes_on)
{
	uint64_t offset = calibration_code__offset(place);

	return (struct fn_site){
		.address = offset, .file_offset = offset, .kind = kind, .condition = NE, .goes_on = goes_on,
		.cost = kind == FN_SITE_RET ? FN_INSN_SINGLE_STEPPED : FN_INSN_EMULATED,
	};
}

static struct fn_function described(char *name, void (*function)(int), struct fn_site *sites, size_t nr)
{
	uint64_t offset = calibration_code__offset((const void *)function);

	return (struct fn_function){
		.name = name, .address = offset, .entry_offset = offset, .file_offset = offset,
		.exit_kind = FN_EXIT_SITES, .entry_cost = FN_INSN_EMULATED, .sites = sites, .nr_sites = nr,
	};
}

static void make_calls(const struct own_child *child, int x)
{
	for (int i = 0; i < OUTER; i++)
		t_outer(x);
}

static void compare(const char *name, const struct figures *counts, size_t function, uint64_t nr,
		    uint64_t each_ns)
{
	struct xp_calls calls = figures__calls(counts, function);
	char text[128];

	snprintf(text, sizeof(text), "%s: all are timed", name);
	check(calls.calls == nr && figures__timed(counts, function) == nr && !calls.missing_ns, text, calls.calls);
	/* What the thread lost its CPU for within probes is measured, and has no price. */
	snprintf(text, sizeof(text), "%s: %llu ns are removed of each", name, (unsigned long long)each_ns);
	check(calls.removed_ns - calls.waited_ns == nr * each_ns, text, (calls.removed_ns - calls.waited_ns) / nr);
}

static void record(int x, const char *inner_name, const char *outer_name)
{
	struct fn_continuation leaf = {
		.name = "t_leaf", .file_offset = calibration_code__offset(t_leaf), .followed = false,
	};
	struct fn_site inner_sites[] = {
		site(t_inner_pass, FN_SITE_JUMP_COND, 0), site(t_inner_jump, FN_SITE_JUMP_COND, 0),
		site(t_inner_ret, FN_SITE_RET, -1),
	}, outer_site = site(t_outer_ret, FN_SITE_RET, -1);
	struct fn_function inner = described("t_inner", t_inner, inner_sites, 3),
			   outer = described("t_outer", t_outer, &outer_site, 1);
	struct xprobe_function functions[] = {
		{ .id = 0, .path = "/proc/self/exe", .function = &outer },
		{ .id = 1, .path = "/proc/self/exe", .function = &inner },
	};
	struct xprobe_opts opts = { .nr_functions = 2 };
	struct xprobe *xprobe = NULL;
	uint64_t passed_ns, inner_ns, all_ns;
	struct error error = { 0 };
	struct figures counts;
	uint32_t class;
	struct own_child child;

	inner.goes_on = &leaf;
	inner.nr_goes_on = 1;
	child = child__start(make_calls, x);
	xprobe = xprobe__new(&opts, &error);
	for (class = 0; xprobe && class < XP_COST_CLASSES; class++)
		xprobe__set_cost(xprobe, class, price(class));
	if (!xprobe || xprobe__attach(xprobe, child.pid, functions, 2, &error)) {
		printf("not ok %s: %s\n", inner_name, error.message);
		failed = 1;
		goto out;
	}
	child__go_on(&child);
	xprobe__detach(xprobe);
	counts = xprobe__figures(xprobe);
	passed_ns = (x ? 1 : 2) * PASSED.call_ns;
	inner_ns = x ? BY_JUMP.inner_ns : BY_RETURN.inner_ns;
	all_ns = x ? BY_JUMP.call_ns : BY_RETURN.call_ns;
	compare(inner_name, &counts, 1, OUTER * INNER, inner_ns + passed_ns);
	compare(outer_name, &counts, 0, OUTER, BY_RETURN.inner_ns + INNER * (all_ns + passed_ns));
	check(figures__calls(&counts, 1).passed == (x ? 1 : 2) * OUTER * INNER, "sites that were passed are counted",
	      figures__calls(&counts, 1).passed);
out:
	xprobe__free(xprobe);
	child__end(&child);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	record(0, "calls that end by a return", "around calls that end by a return");
	record(1, "calls that end by a jump", "around calls that end by a jump");
	return failed;
}

#else

int main(void)
{
	return 0;
}

#endif
