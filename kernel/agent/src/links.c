// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capabilities.h"
#include "error.h"
#include "links.h"

struct links {
	struct bpf_link **all;
	size_t nr;
};

/* Places of one binary, in the layout that the kernel takes. */
struct places {
	unsigned long *offsets;
	__u64 *cookies;
	size_t nr, capacity;
};

enum place_kind { PLACE_ENTRY, PLACE_RETURN, PLACE_SITE };

struct links *links__new(struct fn_error *error)
{
	struct links *links = calloc(1, sizeof(*links));

	if (!links)
		error__set(error, ERR_FAILED, "Out of memory.");
	return links;
}

void links__free(struct links *links)
{
	size_t i;

	if (!links)
		return;
	for (i = 0; i < links->nr; i++)
		bpf_link__destroy(links->all[i]);
	free(links->all);
	free(links);
}

static uint64_t cookie__of(const struct xprobe_function *f, enum xp_exit_class class,
			   const struct fn_site *site)
{
	uint64_t cookie = f->id | (uint64_t)class << 16;

	if (!site)
		return cookie;
	return cookie | (uint64_t)site->kind << 18 | (uint64_t)(site->condition & 15) << 21 |
	       (uint64_t)(site->reg & 15) << 25 |
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

static int links__attach(struct links *links, struct bpf_program *program, pid_t pid,
			 const char *path, const struct places *places, bool on_return,
			 struct fn_error *error)
{
	LIBBPF_OPTS(bpf_uprobe_multi_opts, opts,
		    .offsets = places->offsets, .cookies = places->cookies,
		    .cnt = places->nr, .retprobe = on_return);
	struct bpf_link **all = realloc(links->all, (links->nr + 1) * sizeof(*all));
	struct bpf_link *link;
	int failed;

	if (!all)
		return error__set(error, ERR_FAILED, "Out of memory.");
	links->all = all;
	link = bpf_program__attach_uprobe_multi(program, pid, path, NULL, &opts);
	if (link) {
		links->all[links->nr++] = link;
		return 0;
	}
	failed = errno;
	if (failed == ESRCH)
		return error__set(error, ERR_PROCESS_ENDED, "Process %d has ended.", pid);
	if (failed == EPERM || failed == EACCES)
		return error__set(error, ERR_NO_PERMISSION,
				  "The kernel refused probes on %s: run the agent as root.", path);
	if (capabilities__try_uprobe_multi(on_return))
		return error__set(error, ERR_UNSUPPORTED,
				  "This kernel can't attach many probes through one link: Linux 6.6 or newer is needed.");
	return error__set(error, ERR_FAILED,
			  "%zu probes could not be attached to %s: %s.", places->nr, path,
			  strerror(failed));
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
