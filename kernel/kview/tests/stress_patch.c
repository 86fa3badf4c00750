// SPDX-License-Identifier: GPL-2.0
/* In the stress mix: others who patch text without tracing by it. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"
#include "modules.h"
#include "stress.h"

/* Each of these returns whether anything was changed. */

/* In and behind functions that are hooked here, and those that every view hooks. */
static bool probe_somewhere(unsigned int *seed)
{
	static const char *const funcs[] = {
		"vfs_read", "ksys_read", "vfs_write", "__x64_sys_lseek", "wake_up_new_task",
		"begin_new_exec", "do_exit", "enter_lazy_tlb", "handle_mm_fault",
		"switch_mm_irqs_off", "flush_tlb_mm_range",
	};
	static int prog = -1;
	int fd = -1, i;

	if (prog < 0)
		prog = bpf_prog_empty(PROG_KPROBE);
	/* most offsets are in the middle of an instruction; the last try is at an entry */
	for (i = 0; i < 6 && fd < 0; i++)
		fd = bpf_kprobe_try_at(funcs[pick(seed, ARRAY_SIZE(funcs))],
				       i < 5 && pick(seed, 3) ? pick(seed, 64) : 0, prog);
	/* now and then until the optimiser has had its turn */
	usleep(pick(seed, 3) ? pick(seed, 4000) : 300000);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* Where jump labels are switched: all over the scheduler, or, in a kernel without its statistics, where eBPF runs. */
static const char *labels_switch(void)
{
	static const char scheduler[] = "/proc/sys/kernel/sched_schedstats";

	return access(scheduler, F_OK) ? "/proc/sys/kernel/bpf_stats_enabled" : scheduler;
}

/* Jump labels; a tracepoint's are those of stress_tracer(). */
static bool jump_labels(void)
{
	const char *stats = labels_switch();

	write_file(stats, count_lines(stats, "1", NULL, NULL) ? "0" : "1");
	return true;
}

/*
 * Static calls, in every place that may sleep: thousands, which takes a quarter of a minute under emulation,
 * in which nobody else can patch.  Those of tracepoints are stress_tracer()'s.
 */
static bool static_calls(struct stress *s, unsigned int *seed)
{
	if (!s->thorough || pick(seed, 8))
		return false;
	return !try_write_file("/sys/kernel/debug/sched/preempt", pick(seed, 2) ? "none" : "voluntary");
}

static bool modules(unsigned int *seed)
{
	const char *name = pick(seed, 2) ? "veth" : "kview_victim";
	int err;
	bool loaded;

	if (!module_file_exists(name))
		return false;
	err = -module_file_load(name);
	CHECK(!err || err == EEXIST || err == ENOMEM);
	loaded = !err;
	/* for clients to hook */
	usleep(pick(seed, 4000));
	err = module_delete(name);
	CHECK(!err || err == ENOENT || err == EAGAIN || err == EBUSY);
	return loaded;
}

/* No kprobe is hit meanwhile, so not in rounds in which others count by one. */
static bool all_probes_off(struct stress *s, unsigned int *seed)
{
	if (!s->probes_off)
		return false;
	write_file(STRESS_PROBES, "0");
	usleep(pick(seed, 10000));
	write_file(STRESS_PROBES, "1");
	return true;
}

/* Rather one that the round lacks: one that has all of them ends, and each of these takes seconds under emulation. */
static enum stress_kind next_kind(struct stress *s, unsigned int *seed)
{
	static const enum stress_kind kinds[] = { DID_PROBED, DID_LABELS, DID_CALLS, DID_MODULES, DID_ALL_OFF };
	enum stress_kind kind;
	int tries = 0;

	do {
		kind = kinds[pick(seed, ARRAY_SIZE(kinds))];
	} while (!(s->lacks & 1UL << kind) && ++tries < 25);
	return kind;
}

void stress_patcher(struct stress *s, int nr, unsigned int seed)
{
	(void)nr;
	for (;;) {
		enum stress_kind kind = next_kind(s, &seed);

		stress_somewhere(&seed);
		switch (kind) {
		case DID_PROBED:
			s->done[kind] += probe_somewhere(&seed);
			break;
		case DID_LABELS:
			s->done[kind] += jump_labels();
			break;
		case DID_CALLS:
			s->done[kind] += static_calls(s, &seed);
			break;
		case DID_MODULES:
			s->done[kind] += modules(&seed);
			break;
		default:
			s->done[kind] += all_probes_off(s, &seed);
			break;
		}
		usleep(pick(&seed, 4000));
	}
}

/*
 * When a live patch begins and ends to be applied, the kernel changes all of static_calls().  6.1 warns when it looks
 * through the stack of a task that could run, and a return is watched.
 */
bool stress_live_patches(const struct stress *s)
{
	return s->thorough && kernel_since(6, 12) && module_file_exists(LIVEPATCH);
}

/*
 * A function that the views hook of those who are counted is another one for some seconds.  A
 * client may have hooked it in the base, and who was killed here may have left the patch.
 */
void stress_live_patcher(struct stress *s, int nr, unsigned int seed)
{
	int err;

	(void)nr;
	while (!stress_live_patches(s))
		pause();
	for (;;) {
		err = -module_file_load(LIVEPATCH);
		CHECK(!err || err == EEXIST || err == ENOMEM || err == EBUSY);
		s->done[DID_LIVEPATCHED] += !err;
		usleep(pick(&seed, 2000000));
		livepatch_unload();
		usleep(pick(&seed, 500000));
	}
}

/* All as it was, when nobody patches any more. */
void stress_patched_back(void)
{
	write_file(STRESS_PROBES, "1");
	write_file(labels_switch(), "0");
	try_write_file("/sys/kernel/debug/sched/preempt", "voluntary");
	module_delete_patiently("veth");
	module_delete_patiently("kview_victim");
	if (module_file_exists(LIVEPATCH))
		livepatch_unload();
}
