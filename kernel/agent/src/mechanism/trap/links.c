// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cutoff.h"
#include "base/error.h"
#include "base/loop.h"
#include "mechanism/bpf_access.h"
#include "mechanism/trap/links.h"
#include "mechanism/trap/single_probe.h"
#include "mechanism/trap/trials.h"
#include "mechanism/trap/whole_link.h"

struct links {
	enum links_kind kind;
	struct held_files *files;
	uint32_t edition;
	struct bpf_link **multi;
	size_t nr_multi;
	int *whole;		/* descriptors */
	size_t nr_whole;
	struct single_probe *single;
	size_t nr_single;
};

/* Places of one binary, in the layout that the kernel takes. */
struct batch {
	const struct place *first;
	const char *path;	/* by which its file is opened */
	unsigned long *offsets;
	__u64 *cookies;
	unsigned long *counters;
	bool has_counters;
	size_t nr;
};

enum links_kind links__best_kind(void)
{
	const char *wanted = getenv("KVIEW_AGENT_PROBES");

	if (wanted && !strcmp(wanted, "single"))
		return LINKS_SINGLE;
	if (trial__uprobe_multi(false) && !trial__uprobe_single(false))
		return LINKS_SINGLE;
	return (wanted && !strcmp(wanted, "multi")) || trial__whole_link() ? LINKS_MULTI :
									     LINKS_WHOLE;
}

void links__prepare(enum links_kind kind, struct bpf_program *program)
{
	if (kind == LINKS_SINGLE)
		bpf_program__set_expected_attach_type(program, 0);
}

void links__prepare_whole(enum links_kind kind, struct bpf_program *program)
{
	if (kind == LINKS_WHOLE)
		bpf_program__set_expected_attach_type(program, WHOLE_LINK_TYPE);
}

struct links *links__new(enum links_kind kind, struct held_files *files, uint32_t edition,
			 struct error *error)
{
	struct links *links = calloc(1, sizeof(*links));

	if (!links) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	links->kind = kind;
	links->files = files;
	links->edition = edition;
	return links;
}

/* A link that goes. */
struct closing {
	pthread_t thread;
	struct bpf_link *multi;		/* NULL: whole */
	int whole;
	bool has_thread;
};

struct links_closing {
	size_t nr;
	struct closing all[];
};

static void *closing__run(void *context)
{
	struct closing *c = context;

	if (c->multi)
		bpf_link__destroy(c->multi);
	else
		close(c->whole);
	return NULL;
}

/* closing: with room for it, or NULL. */
static void close_one(struct links_closing *closing, struct bpf_link *multi, int whole)
{
	struct closing alone, *c = closing ? &closing->all[closing->nr++] : &alone;

	*c = (struct closing){ .multi = multi, .whole = whole };
	c->has_thread = closing && !pthread_create(&c->thread, NULL, closing__run, c);
	if (!c->has_thread)
		closing__run(c);
}

static void links__close(struct links *links, struct links_closing *closing)
{
	size_t i;

	for (i = 0; i < links->nr_multi; i++) {
		cutoff__remove(bpf_link__fd(links->multi[i]));
		close_one(closing, links->multi[i], -1);
	}
	for (i = 0; i < links->nr_whole; i++) {
		cutoff__remove(links->whole[i]);
		close_one(closing, NULL, links->whole[i]);
	}
	for (i = 0; i < links->nr_single; i++)
		single_probe__detach(&links->single[i]);
	free(links->whole);
	free(links->multi);
	free(links->single);
	free(links);
}

struct links_closing *links__start_closing(struct links *const *sets, size_t nr)
{
	struct links_closing *closing;
	size_t all = 0, i;

	for (i = 0; i < nr; i++)
		all += sets[i] ? sets[i]->nr_multi + sets[i]->nr_whole : 0;
	closing = calloc(1, sizeof(*closing) + all * sizeof(*closing->all));
	for (i = 0; i < nr; i++)
		if (sets[i])
			links__close(sets[i], closing);
	return closing;
}

void links__wait_closed(struct links_closing *closing)
{
	size_t i;

	for (i = 0; closing && i < closing->nr; i++)
		if (closing->all[i].has_thread)
			pthread_join(closing->all[i].thread, NULL);
	free(closing);
}

bool links__are_closed(struct links_closing *closing)
{
	bool all = true;
	size_t i;

	for (i = 0; closing && i < closing->nr; i++) {
		struct closing *c = &closing->all[i];

		if (c->has_thread && !pthread_tryjoin_np(c->thread, NULL))
			c->has_thread = false;
		all &= !c->has_thread;
	}
	return all;
}

void links__free(struct links *links)
{
	links__wait_closed(links__start_closing(&links, 1));
}

void links__remove(struct links *links, uint32_t function_id)
{
	size_t i, kept = 0;

	for (i = 0; i < links->nr_single; i++)
		if (XP_COOKIE_FUNCTION(links->single[i].cookie) == function_id)
			single_probe__detach(&links->single[i]);
		else
			links->single[kept++] = links->single[i];
	links->nr_single = kept;
}

static int attach_failed(int failed, pid_t pid, const char *path, size_t nr,
			 struct error *error)
{
	if (failed == ESRCH)
		return error__set(error, ERR_PROCESS_ENDED, "Process %d has ended.", pid);
	if (failed == ESTALE)
		return error__set(error, ERR_NO_SUCH_BINARY,
				  "%s leads to another file than before: look its functions up again.",
				  path);
	if (failed == EISNAM)
		return error__set(error, ERR_NO_PERMISSION,
				  "%s gives rights to whoever executes it (setuid, setgid or file capabilities), and calls of a chosen function go on in it: only root may measure that function.",
				  path);
	if (failed == EPERM || failed == EACCES)
		return error__set(error, ERR_NO_PERMISSION,
				  "The kernel refused probes on %s: it takes root.", path);
	return error__set(error, ERR_FAILED, "%zu probes could not be attached to %s: %s.", nr,
			  path, strerror(failed));
}

static int links__attach_multi(struct links *links, struct bpf_program *program, pid_t pid,
			       const struct batch *batch, bool on_return,
			       struct error *error)
{
	LIBBPF_OPTS(bpf_uprobe_multi_opts, opts,
		    .offsets = batch->offsets, .cookies = batch->cookies,
		    .ref_ctr_offsets = batch->has_counters ? batch->counters : NULL,
		    .cnt = batch->nr, .retprobe = on_return);
	struct bpf_link **all = realloc(links->multi, (links->nr_multi + 1) * sizeof(*all));
	struct bpf_link *link;

	if (!all)
		return error__set(error, ERR_FAILED, "Out of memory.");
	links->multi = all;
	/* libbpf says all by -1, and 0 is the agent. */
	link = bpf_program__attach_uprobe_multi(program, pid ? pid : -1, batch->path, NULL, &opts);
	if (!link)
		return attach_failed(errno, pid, batch->first->path, batch->nr, error);
	links->multi[links->nr_multi++] = link;
	cutoff__add(bpf_link__fd(link));
	return 0;
}

static int links__attach_whole(struct links *links, struct bpf_program *program, pid_t pid,
			       const struct batch *batch, bool on_return, struct error *error)
{
	struct whole_link whole = {
		.program_fd = bpf_program__fd(program), .pid = pid,
		.path = batch->path,
		.offsets = batch->offsets, .cookies = (uint64_t *)batch->cookies, .nr = batch->nr,
	};
	int *all = realloc(links->whole, (links->nr_whole + 1) * sizeof(*all)), fd;

	if (!all)
		return error__set(error, ERR_FAILED, "Out of memory.");
	links->whole = all;
	fd = whole_link__create(&whole);
	if (fd < 0)
		return attach_failed(-fd, pid, batch->first->path, batch->nr, error);
	links->whole[links->nr_whole++] = fd;
	cutoff__add(fd);
	return 0;
}

static int links__attach_single(struct links *links, struct bpf_program *program, pid_t pid,
				const struct batch *batch, bool on_return,
				struct error *error)
{
	size_t total = links->nr_single + batch->nr, i;
	pid_t tid = single_probe__thread_of(pid);
	struct single_probe *all;
	int failed;

	if (tid < 0)
		return attach_failed(ESRCH, pid, batch->first->path, batch->nr, error);
	if (total > LINKS_SINGLE_MAX)
		return error__set(error, ERR_TOO_MANY,
				  "%zu places would need probes, and this kernel sets them one by one, %d at most: choose fewer functions.",
				  total, LINKS_SINGLE_MAX);
	all = realloc(links->single, total * sizeof(*all));
	if (!all)
		return error__set(error, ERR_FAILED, "Out of memory.");
	links->single = all;
	bpf_access__allow_descriptors();
	for (i = 0; i < batch->nr; i++) {
		struct single_probe *probe = &all[links->nr_single];

		loop__breathe();
		*probe = (struct single_probe){
			.tid = tid, .path = batch->path,
			.offset = batch->offsets[i], .counter = batch->counters[i],
			.cookie = batch->cookies[i], .on_return = on_return,
		};
		failed = single_probe__attach(probe, bpf_program__fd(program));
		if (failed)
			return attach_failed(-failed, pid, batch->first->path, batch->nr, error);
		links->nr_single++;
	}
	return 0;
}

/* Takes what batch was not filled with before: all places of one binary; false: none is left. */
static bool batch__fill(struct batch *batch, const struct places *places, bool *taken,
			uint32_t edition)
{
	size_t i;

	batch->nr = 0;
	batch->has_counters = false;
	for (i = 0; i < places->nr; i++) {
		const struct place *place = &places->all[i];

		if (taken[i] || (batch->nr && !place__is_in_file_of(place, batch->first)))
			continue;
		taken[i] = true;
		if (!batch->nr)
			batch->first = place;
		batch->offsets[batch->nr] = place->offset;
		batch->counters[batch->nr] = place->counter;
		batch->has_counters |= place->counter;
		batch->cookies[batch->nr++] = place->cookie | (uint64_t)(edition & 3) << 14;
	}
	return batch->nr;
}

typedef int (*attach_fn)(struct links *links, struct bpf_program *program, pid_t pid,
			 const struct batch *batch, bool on_return, struct error *error);

static int links__add_by(struct links *links, attach_fn attach, struct bpf_program *program,
			 pid_t pid, const struct places *places, bool on_return,
			 struct error *error)
{
	size_t room = places->nr ? places->nr : 1;
	struct batch batch = {
		.offsets = calloc(room, sizeof(*batch.offsets)),
		.cookies = calloc(room, sizeof(*batch.cookies)),
		.counters = calloc(room, sizeof(*batch.counters)),
	};
	bool *taken = calloc(room, sizeof(*taken));
	int result = 0;

	if (!batch.offsets || !batch.cookies || !batch.counters || !taken)
		result = error__set(error, ERR_FAILED, "Out of memory.");
	while (!result && batch__fill(&batch, places, taken, links->edition)) {
		loop__breathe();
		batch.path = held_files__path(links->files, batch.first);
		result = batch.path ? attach(links, program, pid, &batch, on_return, error) :
			 attach_failed(errno, pid, batch.first->path, batch.nr, error);
	}
	free(batch.offsets);
	free(batch.cookies);
	free(batch.counters);
	free(taken);
	return result;
}

int links__add(struct links *links, struct bpf_program *program, pid_t pid,
	       const struct places *places, bool on_return, struct error *error)
{
	return links__add_by(links, links->kind == LINKS_SINGLE ? links__attach_single :
			     links__attach_multi, program, pid, places, on_return, error);
}

int links__add_whole(struct links *links, struct bpf_program *program, pid_t pid,
		     const struct places *places, struct error *error)
{
	return links__add_by(links, links__attach_whole, program, pid, places, false, error);
}
