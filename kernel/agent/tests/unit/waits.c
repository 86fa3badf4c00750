// SPDX-License-Identifier: GPL-2.0
/*
 * Waits within probes: where the kernel lets a thread run on until its next trap, what was removed for
 * them is uncertain in full; and how that is known.
 */
#include "check.h"
#include "mechanism/figures.h"
#include "mechanism/trap/preemption.h"

#define DYNAMIC	"CONFIG_ARCH_HAS_PREEMPT_LAZY=y\nCONFIG_PREEMPT_DYNAMIC=y\n"

static enum preemption by_config(const char *config, const char *command_line)
{
	return preemption__tell(&(struct preemption_facts){ .release = "6.18.1", .version = "#1 SMP PREEMPT_DYNAMIC",
							    .config = config, .command_line = command_line });
}

static enum preemption by_release(const char *release, const char *version)
{
	return preemption__tell(&(struct preemption_facts){ .release = release, .version = version,
							    .command_line = "quiet" });
}

static enum preemption by_debugfs(const char *now)
{
	return preemption__tell(&(struct preemption_facts){ .now = now, .command_line = "preempt=lazy",
							    .config = DYNAMIC "CONFIG_PREEMPT_LAZY=y\n" });
}

static void is(enum preemption got, enum preemption expected, const char *name)
{
	check(got == expected, name, got);
}

static void preemption(void)
{
	is(by_debugfs("none voluntary (full) lazy\n"), PREEMPTION_AT_ONCE, "debugfs: full");
	is(by_debugfs("none voluntary full (lazy)\n"), PREEMPTION_LAZY, "debugfs: lazy");
	is(by_config(DYNAMIC "CONFIG_PREEMPT_NONE=y\n", "quiet"), PREEMPTION_AT_ONCE, "built for none");
	is(by_config(DYNAMIC "# CONFIG_PREEMPT_LAZY is not set\n", "quiet preempt=lazy\n"), PREEMPTION_LAZY,
	   "lazy on the command line");
	is(by_config(DYNAMIC "CONFIG_PREEMPT_LAZY=y\n", "quiet"), PREEMPTION_LAZY, "built for lazy");
	is(by_config(DYNAMIC "CONFIG_PREEMPT_LAZY=y\n", "preempt=full quiet"), PREEMPTION_AT_ONCE,
	   "and another on the command line");
	is(by_config(DYNAMIC "CONFIG_PREEMPT_LAZY=y\n", "preempt=none"), PREEMPTION_UNKNOWN,
	   "one that the kernel may refuse");
	is(by_config(DYNAMIC "CONFIG_PREEMPT=y\n", "preempt=lazy x preempt=full"), PREEMPTION_AT_ONCE,
	   "the last one counts");
	is(by_config(DYNAMIC "CONFIG_PREEMPT=y\n", "rcu.preempt=lazy"), PREEMPTION_AT_ONCE, "an option of another name");
	is(by_config(DYNAMIC "CONFIG_PREEMPT=y\n", NULL), PREEMPTION_UNKNOWN, "a command line that can't be read");
	is(by_config("CONFIG_ARCH_HAS_PREEMPT_LAZY=y\nCONFIG_PREEMPT_LAZY=y\n", "preempt=full"), PREEMPTION_LAZY,
	   "not to be chosen at the start");
	is(by_config("CONFIG_PREEMPT_DYNAMIC=y\nCONFIG_PREEMPT=y\n", "preempt=lazy"), PREEMPTION_AT_ONCE,
	   "a kernel that knows no lazy one");
	is(by_release("6.1.0-49-amd64", "#1 SMP PREEMPT_DYNAMIC Debian"), PREEMPTION_AT_ONCE, "an old kernel");
	is(by_release("6.1.0-49-rt-amd64", "#1 SMP PREEMPT_RT Debian"), PREEMPTION_UNKNOWN, "one for real time");
	is(by_release("6.13.0", "#1 SMP PREEMPT_DYNAMIC"), PREEMPTION_UNKNOWN, "a new one");
	is(by_release("7.0.0", "#1 SMP PREEMPT_DYNAMIC"), PREEMPTION_UNKNOWN, "a newer one");
}

/* A thousand waits of a millisecond. */
static uint64_t uncertain_ns(bool may_be_its_own)
{
	static struct xp_calls calls = { .calls = 1000, .removed_ns = 1000000000, .waited_ns = 1000000000,
					 .waited_squares = 1000 * 976ULL * 976 };
	static struct xp_cost costs[XP_COST_CLASSES];
	struct figures figures = { .calls = &calls, .costs = costs, .slots = 1, .functions = 1,
				   .waits_may_be_its_own = may_be_its_own };

	return figures__calls(&figures, 0).uncertain_ns;
}

int main(void)
{
	uint64_t ns = uncertain_ns(false);

	check(ns > 150000000 && ns < 200000000, "waits by chance", ns);
	ns = uncertain_ns(true);
	check(ns == 1000000000, "waits that may be the function's own are uncertain in full", ns);
	preemption();
	return failed;
}
