/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes on many places of a process at once: prefer multi, fall back to single.
 */
#ifndef KVIEW_LINKS_H
#define KVIEW_LINKS_H

#include <bpf/libbpf.h>

#include "held_files.h"
#include "places.h"

enum links_kind {
	/*
	 * One uprobe.multi link for each binary and program: attaching a thousand places
	 * takes milliseconds, and so does detaching.
	 */
	LINKS_MULTI,
	/*
	 * A perf event for each place: about 4 ms to attach each, 120 ms to detach, and
	 * the probes end with the thread that they were made for.
	 */
	LINKS_SINGLE,
};

/* As many places as LINKS_SINGLE takes: the detaching of more takes too long. */
#define LINKS_SINGLE_MAX	128

struct links;

/*
 * The best that the kernel offers, found by trying.  KVIEW_AGENT_PROBES=single in the
 * environment has the second best, to compare the two and to test it everywhere.
 */
enum links_kind links__best_kind(void);

/* To be called for the program of a probe before it is loaded. */
void links__prepare(enum links_kind kind, struct bpf_program *program);

/* files: to be freed after the links.  edition: as in the cookies, modulo 4. */
struct links *links__new(enum links_kind kind, struct held_files *files, uint32_t edition,
			 struct fn_error *error);
/* Detaches, in the order of attaching, and waits until the programs run no more. */
void links__free(struct links *links);

/* LINKS_SINGLE alone: detaches the probes of one function. */
void links__remove(struct links *links, uint32_t function_id);

/* Returns 0, or -1 with error filled; what was attached before stays. */
int links__add(struct links *links, struct bpf_program *program, pid_t pid,
	       const struct places *places, bool on_return, struct fn_error *error);

#endif
