// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/error.h"
#include "base/loop.h"
#include "lookup/functions.h"
#include "lookup/thread_policies.h"
#include "mechanism/bpf_access.h"
#include "mechanism/jump/state.h"
#include "place/children.h"

#define SETS		4096
#define MOST_SHARDS	16
#define MOST_BYTES	(64u << 20)	/* of figures, where there are that many functions */

/*
 * What stamps cost is measured with one function that is called again and again.  Elsewhere the processor may not have near what they
 * need, because of what the program does between its calls, or as many functions are called in turn.  By so many times what was measured a
 * call's own time may be too long then, and a call take longer: of up to FEW functions, and of more, as tests/traced/thousand.c and real
 * programs were measured, see docs/jump-probes.md.  What finds even less near is beyond that.
 */
#define FEW		256
#define FEW_INNER	1.5
#define FEW_CALL	1.0
#define MANY_INNER	3.0
#define MANY_CALL	2.0

#define SPOILED "The process has written over the memory in which its calls are counted: the recording ended, with the figures of before."
#define GONE "The process executed another program: the recording ended with the former one."

/* In addition to what was noted before. */
static __attribute__((format(printf, 2, 3))) void note(struct jumps *jumps, const char *format, ...)
{
	size_t length = strlen(jumps->note);
	va_list args;

	if (length && length + 2 < sizeof(jumps->note))
		jumps->note[length++] = ' ';
	va_start(args, format);
	vsnprintf(jumps->note + length, sizeof(jumps->note) - length, format, args);
	va_end(args);
}

static struct freed_children free_children(const struct jumps *jumps)
{
	struct freed_children children = { 0 };

	for (size_t i = 0; i < jumps->nr_files; i++)
		remote__free_children(&jumps->files[i].remote, &children);
	return children;
}

static void jumps__free(struct mechanism *mechanism)
{
	struct jumps *jumps = jumps__of(mechanism);
	struct error ignored = { 0 };

	for (size_t i = 0; i < jumps->nr_files; i++)
		remote__detach(&jumps->files[i].remote, &ignored);
	if (!jumps->has_ended)
		free_children(jumps);
	for (size_t i = 0; i < jumps->nr_files; i++) {
		remote__free(&jumps->files[i].remote);
		free(jumps->files[i].binary);
		free(jumps->files[i].functions);
		free(jumps->files[i].points);
	}
	thread_clocks__close(&jumps->clocks);
	jump_events__close(jumps);
	if (mechanism->changes_fd >= 0)
		close(mechanism->changes_fd);
	if (jumps->memory >= 0)
		close(jumps->memory);
	for (size_t i = 0; jumps->names && i < mechanism->nr; i++)
		free((char *)jumps->names[i]);
	free(jumps->names);
	free(jumps->shares);
	free(jumps->dropped);
	free(jumps->taken);
	jump_counts__free(jumps);
	free(jumps);
}

static int jumps__load(struct mechanism *mechanism, const struct mechanism_load *load, struct error *error)
{
	struct jumps *jumps = jumps__of(mechanism);
	const struct itimerspec often = { { 0, JUMPS_LOOK_NS }, { 0, JUMPS_LOOK_NS } };

	if (bpf_access__prepare(error) || thread_clocks__open(&jumps->clocks, load->events ? load->ring_bytes : 0, error))
		return -1;
	if (load->events && jump_events__open(jumps))
		return error__set(error, ERR_FAILED, "Out of memory.");
	if (load->events && jumps->left)
		snprintf(jumps->waits_note + strlen(jumps->waits_note), sizeof(jumps->waits_note) - strlen(jumps->waits_note),
			 ". They have no events.");
	mechanism->changes_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (mechanism->changes_fd < 0 || timerfd_settime(mechanism->changes_fd, 0, &often, NULL) ||
	    jump_counts__init(jumps))
		return error__set(error, ERR_FAILED, "A recording by jumps could not be prepared: %s.", strerror(errno));
	return 0;
}

static void jumps__calibrate(struct mechanism *mechanism, struct calibration *latest)
{
	struct jumps *jumps = jumps__of(mechanism);
	struct stamp_cost *cost = &jumps->cost;
	struct error failure = { 0 };

	if (stamp_cost__measure(cost, jumps->events, &failure)) {
		note(jumps, "%s", failure.message);
		return;
	}
	cost->inner_spread_ns += (jumps->base.nr > FEW ? MANY_INNER : FEW_INNER) * cost->inner_ns;
	cost->call_spread_ns += (jumps->base.nr > FEW ? MANY_CALL : FEW_CALL) * cost->call_ns;
	jumps->costs[0] = (struct xp_cost){
		.inner_ns = cost->inner_ns, .call_ns = cost->call_ns, .inner_spread_ns = cost->inner_spread_ns,
		.call_spread_ns = cost->call_spread_ns, .likely_ns = cost->call_ns + cost->call_spread_ns / 2,
	};
}

static uint32_t shards_for(uint32_t functions)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint32_t shards = 1;

	while (shards < processors && shards < MOST_SHARDS &&
	       2ull * shards * functions * sizeof(struct jump_figures) <= MOST_BYTES)
		shards *= 2;
	return shards;
}

static int attach_file(struct jumps *jumps, struct jump_file *file, struct error *error)
{
	struct shared_layout layout = { .functions = file->nr, .shards = shards_for(file->nr), .sets = SETS };

	if (jumps->events)
		jump_events__lay_out(&layout, jumps->nr_files);
	file->remote.costs = (struct shared_costs){ .inner = jumps->cost.inner, .call = jumps->cost.call };
	file->remote.clocks = &jumps->clocks;
	int err = remote__attach(&file->remote, &layout, error) || jump_others__check(jumps, file, error) ? -1 : 0;

	if (!err && file->remote.without_clocks.code) {
		*error = file->remote.without_clocks;
		err = -1;
	}
	if (err && file->remote.is_taken)
		jump_others__note_taken(jumps, file);
	if (err)
		return -1;
	return jumps->events && jump_events__add(jumps, file - jumps->files) ? error__set(error, ERR_FAILED, "Out of memory.") : 0;
}

static int jumps__attach(struct mechanism *mechanism, struct error *error)
{
	struct jumps *jumps = jumps__of(mechanism);
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/mem", mechanism->pid);
	jumps->memory = open(path, O_RDONLY | O_CLOEXEC);
	for (size_t i = 0; i < jumps->nr_files; i++)
		if (attach_file(jumps, &jumps->files[i], error))
			return -1;
	return 0;
}

static int jumps__begin(struct mechanism *mechanism, struct error *error)
{
	struct jumps *jumps = jumps__of(mechanism);

	thread_clocks__tell(&jumps->clocks, true);
	for (size_t i = 0; i < jumps->nr_files; i++)
		if (remote__begin(&jumps->files[i].remote, error))
			return -1;
	return 0;
}

static void jumps__end(struct mechanism *mechanism)
{
	struct jumps *jumps = jumps__of(mechanism);
	struct error error = { 0 };
	bool counts = false;

	/*
	 * Errors do not matter: a process that has ended counts nothing any more, and in one that lives restoring the
	 * code ends the counting as well. One that has no memory to be stopped counts until the figures are read, for which clocks are needed.
	 */
	for (size_t i = 0; i < jumps->nr_files; i++)
		counts |= remote__end(&jumps->files[i].remote, &error) && error.code == ERR_NOT_PROBEABLE;
	thread_clocks__tell(&jumps->clocks, counts);
}

static void jumps__detach(struct mechanism *mechanism)
{
	struct jumps *jumps = jumps__of(mechanism);
	struct freed_children children;
	struct error error = { 0 }, ignored = { 0 };

	for (size_t i = 0; i < jumps->nr_files; i++)
		remote__detach(&jumps->files[i].remote, &ignored);
	jumps->has_ended = true;
	jump_counts__refresh(jumps);
	thread_clocks__tell(&jumps->clocks, false);
	if (jump_counts__are_untold(jumps))
		note(jumps, "Of %" PRIu64 " calls is not known why they were off the CPU for %.3f ms all together: that is under other.",
		     jumps->untold, jumps->untold_ns / 1e6);
	children = free_children(jumps);
	/* Once more, as they may have shared its code, for whose copy there was no memory. */
	for (size_t i = 0; i < jumps->nr_files; i++)
		if (remote__detach(&jumps->files[i].remote, &error) && error.code != ERR_PROCESS_ENDED &&
		    error.code != ERR_NO_SUCH_PROCESS)
			note(jumps, "Jumps are still in the process: %.300s %s; kview clean --pid %d takes them out.", error.message,
			     jumps->files[i].remote.left ?
			     "Something else has changed code that they overwrote, so calls there may end the process" : "They do no harm",
			     mechanism->pid);
	if (children.left)
		note(jumps, "Jumps are still in %zu of the processes that this one forked. They do no harm; kview clean --pid %d takes them out of that one.",
		     children.left, children.left_pid);
}

static void jumps__refresh(struct mechanism *mechanism)
{
	jump_counts__refresh(jumps__of(mechanism));
}

/* It has other memory than that which was attached to. One that ends has none, and that is told elsewhere. */
static bool has_gone(const struct jumps *jumps)
{
	struct regions regions = { 0 };
	bool has_other;

	if (jumps->memory < 0 || !jumps->nr_files || !jumps->files[0].remote.is_mapped ||
	    remote__is_there(&jumps->files[0].remote, jumps->memory))
		return false;
	has_other = process_id__is(&jumps->files[0].remote.process) &&
		    !regions__read(&regions, thread__living(jumps->base.pid));
	regions__free(&regions);
	return has_other;
}

static const char *jumps__has_failed(const struct mechanism *mechanism)
{
	return jumps__of(mechanism)->is_spoiled ? SPOILED : NULL;
}

/* Points of files that were unloaded, even if these were loaded again: nobody puts jumps there anew.  While another traces it nobody can stop it. */
static void find_unloaded(const struct jumps *jumps, struct mechanism_off *off)
{
	if (process__tracer(jumps->base.pid))
		return;
	for (size_t i = 0; i < jumps->nr_files; i++) {
		const struct jump_file *file = &jumps->files[i];

		if (!file->remote.is_mapped || jump_file__stands(file, jumps->memory) ||
		    !remote__is_there(&file->remote, jumps->memory))
			continue;
		for (uint32_t k = 0; k < file->nr; k++)
			if (jump_file__measures(file, k) && !jumps->dropped[file->points[k]])
				off->points[off->nr++] = file->points[k];
		snprintf(off->why, sizeof(off->why), "The process unloaded the file, or its code there was changed by something else: what is loaded again is not measured.");
		return;
	}
}

static const char *jumps__follow(struct mechanism *mechanism, struct mechanism_off *off)
{
	uint64_t times;

	off->nr = 0;
	if (read(mechanism->changes_fd, &times, sizeof(times)) < 0 && errno != EAGAIN)
		log__line("the timer could not be read: %s", strerror(errno));
	if (has_gone(jumps__of(mechanism)))
		return GONE;
	jump_others__find(jumps__of(mechanism), off);
	if (!off->nr)
		jump_handlers__find(jumps__of(mechanism), off);
	if (!off->nr)
		find_unloaded(jumps__of(mechanism), off);
	return jumps__has_failed(mechanism);
}

static bool jumps__changes(const struct mechanism *mechanism, size_t index, struct code_place *place)
{
	const struct jumps *jumps = jumps__of(mechanism);

	for (size_t i = 0; i < jumps->nr_files; i++) {
		const struct remote *remote = &jumps->files[i].remote;

		if (index < remote->image.nr) {
			const struct image_patch *patch = &remote->image.patches[index];

			*place = (struct code_place){ remote->device, remote->inode, patch->file_offset - patch->kept,
						      patch->bytes + patch->kept };
			return true;
		}
		index -= remote->image.nr;
	}
	return false;
}

static void jumps__own_code(const struct mechanism *mechanism, struct fn_known_code *known)
{
	const struct jumps *jumps = jumps__of(mechanism);

	for (size_t i = 0; i < jumps->nr_files; i++) {
		const struct remote *remote = &jumps->files[i].remote;
		const struct emitter *code = &remote->image.code;
		const struct boards *boards = &remote->image.boards;

		if (!remote->is_mapped || !remote__has_record(remote, jumps->memory))
			continue;
		fn_known_code__add(known, code->address, code->address + code->room);
		for (size_t k = 0; k < boards->nr;) {
			const struct board_run run = boards__run(boards, k);

			fn_known_code__add(known, run.start, run.start + run.bytes);
			k = run.next;
		}
	}
}

static int jumps__drop(struct mechanism *mechanism, const uint32_t *dropped, size_t nr_dropped,
		       const uint32_t *kept, size_t nr_kept, struct error *error)
{
	struct jumps *jumps = jumps__of(mechanism);

	for (size_t i = 0; i < nr_dropped; i++)
		for (size_t f = 0; f < jumps->nr_files; f++) {
			struct jump_file *file = &jumps->files[f];

			for (uint32_t k = 0; k < file->nr; k++)
				if (jump_file__measures(file, k) && file->points[k] == dropped[i] &&
				    remote__drop(&file->remote, k, error))
					return -1;
		}
	for (size_t i = 0; i < nr_dropped; i++)
		jumps->dropped[dropped[i]] = true;
	return 0;
}

static void jumps__losses(const struct mechanism *mechanism, Kview__Wire__Losses *losses)
{
	losses->early_returns += jump_counts__early(jumps__of(mechanism));
}

static void jumps__describe(const struct mechanism *mechanism, size_t point, Kview__Wire__AttachedProbe *message)
{
	const struct jumps *jumps = jumps__of(mechanism);

	message->mechanism = KVIEW__WIRE__MECHANISM__MECHANISM_JUMP;
	message->exit_kind = KVIEW__WIRE__EXIT_KIND__EXIT_RETURN_SITES;
	message->inner_cost_ns = jumps->costs[0].inner_ns;
	message->call_cost_ns = jumps->costs[0].call_ns;
}

static bool jumps__file(const struct mechanism *mechanism, size_t index, Kview__Wire__Binary *message)
{
	const struct jumps *jumps = jumps__of(mechanism);

	if (index >= jumps->nr_files)
		return false;
	message->path = jumps->files[index].binary;
	return true;
}

const struct mechanism_ops jumps_ops = {
	.free = jumps__free, .load = jumps__load, .calibrate = jumps__calibrate,
	.attach = jumps__attach, .begin = jumps__begin, .end = jumps__end, .detach = jumps__detach,
	.describe = jumps__describe, .drop = jumps__drop, .refresh = jumps__refresh, .changes = jumps__changes,
	.own_code = jumps__own_code,
	.follow = jumps__follow, .has_failed = jumps__has_failed, .losses = jumps__losses, .file = jumps__file,
};
