// SPDX-License-Identifier: GPL-2.0
/* What the bystander does without the time that it takes: which CPU, which operations, how many rounds, and how often. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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
	check_cpu(0x0f, 0x07, 0x01, CPU_UNUSED, 2, "a CPU that the process may use and does not, before one that may be another's");
	check_cpu(0x0f, 0xff, 0x08, CPU_UNUSED, 2, "also where it may use all");
	check_cpu(0x0f, 0x03, 0x03, CPU_FORBIDDEN, 3, "else one that it may not use");
	check_cpu(0x03, 0xff, 0x0f, CPU_SHARED, 1, "else any that the agent may use");
	check_cpu(0x00, 0xff, 0x0f, CPU_SHARED, -1, "none where the agent has none");
}

static void check_without(const char *list, unsigned int left, const char *name)
{
	cpu_set_t all = cpus(0xff), expected = cpus(left);

	cpus__remove(&all, list);
	check(CPU_EQUAL(&all, &expected), name, CPU_COUNT(&all));
}

static void isolated_cpus(void)
{
	check_without("2-3,5\n", 0xd3, "CPUs that are isolated are left out");
	check_without("\n", 0xff, "none are");
	check_without(" (null)\n", 0xff, "none are, as nohz_full writes it");
	check_without("4-4294967295", 0x0f, "a range that ends nowhere");
	check_without("7-", 0xff, "one without an end is none");
}

static void devices(void)
{
	int null = device__open("/dev/null", O_WRONLY, DEVICE_NULL), zero = device__open("/dev/zero", O_RDONLY, DEVICE_ZERO);

	check(null >= 0 && zero >= 0, "the kernel's devices", null);
	check(device__open("/dev/null", O_RDONLY, DEVICE_ZERO) == -1, "not another one", 0);
	check(device__open("/etc/passwd", O_RDONLY, DEVICE_NULL) == -1, "not a file that has the name", 0);
	check(device__open("/no/such", O_RDONLY, DEVICE_NULL) == -1, "nor nothing", 0);
	close(null);
	close(zero);
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
	rounds__drop_last(&rounds, ROUNDS_DURING);
	check(series->nr == ROUNDS_MOST / 2, "one that does not count is none", series->nr);
	check(in_order, "of those before, from all of their time", series->ns[0][ROUNDS_MOST / 2 - 1]);
}

static void pause_between(void)
{
	struct rounds rounds = { .stretch = 1 };
	uint64_t took_ns;
	bool bounded = true;

	for (took_ns = 1000; took_ns < 100000000; took_ns *= 3)
		bounded &= took_ns * 199 <= rounds__pause_ms(&rounds, ROUNDS_DURING, took_ns) * 1000000;
	check(bounded, "rounds take 0.5 % of a CPU at most", rounds__pause_ms(&rounds, ROUNDS_DURING, 1000000));
	check(rounds__pause_ms(&rounds, ROUNDS_DURING, 0) == 50, "and are no more than 20 a second",
	      rounds__pause_ms(&rounds, ROUNDS_DURING, 0));
	rounds.stretch = 4;
	check(rounds__pause_ms(&rounds, ROUNDS_AFTER, 1000000) == 200, "as many after the recording, whose time is short",
	      rounds__pause_ms(&rounds, ROUNDS_AFTER, 1000000));
	check(rounds__pause_ms(&rounds, ROUNDS_DURING, 1000000) == 800, "fewer where they were thinned out",
	      rounds__pause_ms(&rounds, ROUNDS_DURING, 1000000));
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
	isolated_cpus();
	devices();
	find_operations();
	thin_out();
	pause_between();
	run_all();
	return failed;
}
