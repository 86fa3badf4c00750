// SPDX-License-Identifier: GPL-2.0
/* What the bystander does without the time that it takes: which CPU, which operations, how many rounds, and how often. */
#include <string.h>

#include "bystander/cpu.h"
#include "bystander/operations.h"
#include "bystander/rounds.h"
#include "check.h"

static cpu_set_t cpus(unsigned int bits)
{
	cpu_set_t set;
	int i;

	CPU_ZERO(&set);
	for (i = 0; i < 8; i++)
		if (bits & 1u << i)
			CPU_SET(i, &set);
	return set;
}

static void check_cpu(unsigned int own_bits, unsigned int allowed_bits, unsigned int used_bits, enum cpu_use use, int cpu,
		      const char *name)
{
	cpu_set_t own = cpus(own_bits), allowed = cpus(allowed_bits), used = cpus(used_bits);
	int chosen = -2;
	enum cpu_use found = cpu__among(&own, &allowed, &used, &chosen);

	check(found == use && chosen == cpu, name, chosen);
}

static void choose_cpu(void)
{
	check_cpu(0x0f, 0x03, 0x01, CPU_FORBIDDEN, 3, "a CPU that the process may not use");
	check_cpu(0x0f, 0xff, 0x08, CPU_UNUSED, 2, "else one that it does not use");
	check_cpu(0x03, 0xff, 0x0f, CPU_SHARED, 1, "else any that the agent may use");
	check_cpu(0x00, 0xff, 0x0f, CPU_SHARED, -1, "none where the agent's own are not known");
}

static void find_operations(void)
{
	int reads = operation__of_system_call("read");

	check(operation__of_system_call("getppid") == OPERATION_GENERAL, "getppid is the call that stands for all", 0);
	check(reads > 0 && operation__of_kernel_function("vfs_read") == reads, "a read comes to vfs_read", reads);
	check(operation__of_kernel_function("__x64_sys_read") == reads, "and to the system call's own function", reads);
	check(operation__of_system_call("kill") == -1, "what would do something is not tried", 0);
	check(operation__of_system_call("") == -1, "nor what has no name", 0);
	check(operation__of_tracepoint("sched", "sched_switch") == OPERATION_SWITCH, "a switch comes to the scheduler's tracepoint", 0);
	check(operation__of_tracepoint("syscalls", "sys_exit_read") == reads, "a read to those of reads", reads);
	check(operation__of_tracepoint("raw_syscalls", "sys_enter") == OPERATION_GENERAL, "any call to those of all", 0);
	check(operation__of_tracepoint("block", "block_rq_issue") == -1 && operation__of_tracepoint("sched", "sched_process_exec") == -1,
	      "and none to others", 0);
	check(operation__of_kernel_function("vfs_fsync") == -1, "nor a function that none comes to", 0);
}

/* Figures in rounds that are more than there is room for: they stay in the order of time, from all of it. */
static void thin_out(void)
{
	static struct rounds rounds = { .nr_operations = 1, .operations = { OPERATION_GENERAL } };
	struct rounds_series *series = &rounds.phases[ROUNDS_DURING];
	bool in_order = true;
	uint32_t i;

	operations__prepare();
	rounds__begin(&rounds);
	check(rounds.times[0] >= 4 && rounds.times[0] % 2 == 0, "a batch has an even number of operations", rounds.times[0]);
	for (i = 0; i < ROUNDS_MOST; i++) {
		rounds__add(&rounds, ROUNDS_DURING);
		series->ns[0][i] = i;
	}
	check(rounds.stretch == 1 && series->nr == ROUNDS_MOST, "rounds are kept while there is room", series->nr);
	rounds__add(&rounds, ROUNDS_DURING);
	check(series->nr == ROUNDS_MOST / 2 + 1 && rounds.stretch == 2, "then every second one, and they come half as often",
	      series->nr);
	for (i = 0; i < ROUNDS_MOST / 2; i++)
		in_order &= series->ns[0][i] == 2 * i;
	check(in_order, "of those before, from all of their time", series->ns[0][ROUNDS_MOST / 2 - 1]);
}

static void pause_between(void)
{
	struct rounds rounds = { .stretch = 1 };
	uint64_t took_ns;
	bool bounded = true;

	for (took_ns = 1000; took_ns < 100000000; took_ns *= 3)
		bounded &= took_ns * 199 <= rounds__pause_ms(&rounds, took_ns) * 1000000;
	check(bounded, "rounds take 0.5 % of a CPU at most", rounds__pause_ms(&rounds, 1000000));
	check(rounds__pause_ms(&rounds, 0) == 50, "and are no more than 20 a second", rounds__pause_ms(&rounds, 0));
	rounds.stretch = 4;
	check(rounds__pause_ms(&rounds, 1000000) == 800, "fewer where they were thinned out", rounds__pause_ms(&rounds, 1000000));
}

/* An operation that did nothing would take no time: each is done, on a machine that has what it needs. */
static void run_all(void)
{
	size_t i;

	for (i = 0; i < operations__nr(); i++) {
		check(operation__is_possible(i), operation__name(i), i);
		operation__run(i, 10);
	}
}

int main(void)
{
	choose_cpu();
	find_operations();
	thin_out();
	pause_between();
	run_all();
	return failed;
}
