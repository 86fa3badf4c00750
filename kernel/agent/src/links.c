// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "error.h"
#include "links.h"
#include "single_probe.h"
#include "trials.h"

struct links {
	enum links_kind kind;
	struct bpf_link **multi;
	size_t nr_multi;
	struct single_probe *single;
	size_t nr_single;
};

/* Places of one binary, in the layout that the kernel takes. */
struct places {
	unsigned long *offsets;
	__u64 *cookies;
	size_t nr, capacity;
};

enum place_kind { PLACE_ENTRY, PLACE_RETURN, PLACE_SITE };

enum links_kind links__best_kind(void)
{
	const char *wanted = getenv("KVIEW_AGENT_PROBES");

	if (wanted && !strcmp(wanted, "single"))
		return LINKS_SINGLE;
	return trial__uprobe_multi(false) && !trial__uprobe_single(false) ?
		LINKS_SINGLE : LINKS_MULTI;
}

void links__prepare(enum links_kind kind, struct bpf_program *program)
{
	if (kind == LINKS_SINGLE)
		bpf_program__set_expected_attach_type(program, 0);
}

struct links *links__new(enum links_kind kind, struct fn_error *error)
{
	struct links *links = calloc(1, sizeof(*links));

	if (!links) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	links->kind = kind;
	return links;
}

void links__free(struct links *links)
{
	size_t i;

	if (!links)
		return;
	for (i = 0; i < links->nr_multi; i++)
		bpf_link__destroy(links->multi[i]);
	for (i = 0; i < links->nr_single; i++)
		single_probe__detach(&links->single[i]);
	free(links->multi);
	free(links->single);
	free(links);
}

static uint64_t cookie__of(const struct xprobe_function *f, enum xp_exit_class class,
			   const struct fn_site *site)
{
	uint64_t cookie = f->id | (uint64_t)class << 16;

	if (!site)
		return cookie;
	return cookie | (uint64_t)site->kind << 18 | (uint64_t)(site->condition & 15) << 21 |
	       (uint64_t)(site->reg & 31) << 25 |
	       (site->address - f->function->address) << 32;
}

static int places__add(struct places *places, uint64_t offset, uint64_t cookie)
{
	size_t capacity = places->capacity ? 2 * places->capacity : 64;
	unsigned long *offsets;
	__u64 *cookies;

	if (places->nr == places->capacity) {
		offsets = realloc(places->offsets, capacity * sizeof(*offsets));
		if (!offsets)
			return -1;
		places->offsets = offsets;
		cookies = realloc(places->cookies, capacity * sizeof(*cookies));
		if (!cookies)
			return -1;
		places->cookies = cookies;
		places->capacity = capacity;
	}
	places->offsets[places->nr] = offset;
	places->cookies[places->nr++] = cookie;
	return 0;
}

static int places__add_function(struct places *places, const struct xprobe_function *f,
				enum place_kind kind)
{
	const struct fn_function *function = f->function;
	bool by_return = function->exit_kind == FN_EXIT_URETPROBE;
	size_t i;

	if (kind != PLACE_SITE) {
		if (kind == PLACE_RETURN && !by_return)
			return 0;
		return places__add(places, function->entry_offset,
				   cookie__of(f, by_return ? XP_EXIT_URETPROBE : XP_EXIT_STEPPED,
					      NULL));
	}
	if (by_return)
		return 0;
	for (i = 0; i < function->nr_sites; i++) {
		const struct fn_site *site = &function->sites[i];
		enum xp_exit_class class = site->cost == FN_INSN_EMULATED ? XP_EXIT_EMULATED :
					   XP_EXIT_STEPPED;

		if (places__add(places, site->file_offset, cookie__of(f, class, site)))
			return -1;
	}
	return 0;
}

static int attach_failed(int failed, pid_t pid, const char *path, size_t nr,
			 struct fn_error *error)
{
	if (failed == ESRCH)
		return error__set(error, ERR_PROCESS_ENDED, "Process %d has ended.", pid);
	if (failed == EPERM || failed == EACCES)
		return error__set(error, ERR_NO_PERMISSION,
				  "The kernel refused probes on %s: run the agent as root.", path);
	return error__set(error, ERR_FAILED, "%zu probes could not be attached to %s: %s.", nr,
			  path, strerror(failed));
}

static int links__attach_multi(struct links *links, struct bpf_program *program, pid_t pid,
			       const char *path, const struct places *places, bool on_return,
			       struct fn_error *error)
{
	LIBBPF_OPTS(bpf_uprobe_multi_opts, opts,
		    .offsets = places->offsets, .cookies = places->cookies,
		    .cnt = places->nr, .retprobe = on_return);
	struct bpf_link **all = realloc(links->multi, (links->nr_multi + 1) * sizeof(*all));
	struct bpf_link *link;

	if (!all)
		return error__set(error, ERR_FAILED, "Out of memory.");
	links->multi = all;
	link = bpf_program__attach_uprobe_multi(program, pid, path, NULL, &opts);
	if (!link)
		return attach_failed(errno, pid, path, places->nr, error);
	links->multi[links->nr_multi++] = link;
	return 0;
}

/* Two descriptors a place: more than many a default limit. */
static void allow_descriptors(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int links__attach_single(struct links *links, struct bpf_program *program, pid_t pid,
				const char *path, const struct places *places, bool on_return,
				struct fn_error *error)
{
	size_t total = links->nr_single + places->nr, i;
	pid_t tid = single_probe__thread_of(pid);
	struct single_probe *all;
	int failed;

	if (tid < 0)
		return attach_failed(ESRCH, pid, path, places->nr, error);
	if (total > LINKS_SINGLE_MAX)
		return error__set(error, ERR_TOO_MANY,
				  "%zu places would need probes, and this kernel sets them one by one, %d at most: choose fewer functions.",
				  total, LINKS_SINGLE_MAX);
	all = realloc(links->single, total * sizeof(*all));
	if (!all)
		return error__set(error, ERR_FAILED, "Out of memory.");
	links->single = all;
	allow_descriptors();
	for (i = 0; i < places->nr; i++) {
		struct single_probe *probe = &all[links->nr_single];

		*probe = (struct single_probe){
			.tid = tid, .path = path, .offset = places->offsets[i],
			.cookie = places->cookies[i], .on_return = on_return,
		};
		failed = single_probe__attach(probe, bpf_program__fd(program));
		if (failed)
			return attach_failed(-failed, pid, path, places->nr, error);
		links->nr_single++;
	}
	return 0;
}

static int links__attach(struct links *links, struct bpf_program *program, pid_t pid,
			 const char *path, const struct places *places, bool on_return,
			 struct fn_error *error)
{
	return links->kind == LINKS_MULTI ?
		links__attach_multi(links, program, pid, path, places, on_return, error) :
		links__attach_single(links, program, pid, path, places, on_return, error);
}

static int links__add(struct links *links, struct bpf_program *program, pid_t pid,
		      const struct xprobe_function *functions, size_t nr, enum place_kind kind,
		      struct fn_error *error)
{
	struct places places = { 0 };
	size_t i, j;
	int result = 0;

	for (i = 0; i < nr && !result; i++) {
		/* The first function of its binary stands for all of them. */
		for (j = 0; j < i; j++)
			if (!strcmp(functions[j].path, functions[i].path))
				break;
		if (j < i)
			continue;
		places.nr = 0;
		for (j = i; j < nr; j++)
			if (!strcmp(functions[j].path, functions[i].path) &&
			    places__add_function(&places, &functions[j], kind)) {
				result = error__set(error, ERR_FAILED, "Out of memory.");
				goto out;
			}
		if (places.nr)
			result = links__attach(links, program, pid, functions[i].path, &places,
					       kind == PLACE_RETURN, error);
	}
out:
	free(places.offsets);
	free(places.cookies);
	return result;
}

int links__add_entries(struct links *links, struct bpf_program *program, pid_t pid,
		       const struct xprobe_function *functions, size_t nr, struct fn_error *error)
{
	return links__add(links, program, pid, functions, nr, PLACE_ENTRY, error);
}

int links__add_returns(struct links *links, struct bpf_program *program, pid_t pid,
		       const struct xprobe_function *functions, size_t nr, struct fn_error *error)
{
	return links__add(links, program, pid, functions, nr, PLACE_RETURN, error);
}

int links__add_sites(struct links *links, struct bpf_program *program, pid_t pid,
		     const struct xprobe_function *functions, size_t nr, struct fn_error *error)
{
	return links__add(links, program, pid, functions, nr, PLACE_SITE, error);
}
