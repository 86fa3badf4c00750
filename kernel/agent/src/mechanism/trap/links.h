/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes on many places of a process at once: prefer multi, fall back to single.
 */
#ifndef KVIEW_LINKS_H
#define KVIEW_LINKS_H

#include <bpf/libbpf.h>

#include "mechanism/trap/held_files.h"
#include "mechanism/trap/places.h"

enum links_kind {
	/*
	 * One uprobe.multi link for each binary and eBPF program: attaching a thousand places
	 * takes milliseconds, and so does detaching.
	 */
	LINKS_MULTI,
	/* The same, where the kernel asks at each entry whether to replace the return address. */
	LINKS_WHOLE,
	/*
	 * A perf event for each place: about 4 ms to attach each, 120 ms to detach, and
	 * the probes end with the thread that they were made for.
	 */
	LINKS_SINGLE,
};

/* How many places LINKS_SINGLE can have at most: to detach more would take too long. */
#define LINKS_SINGLE_MAX	128

struct links;

/*
 * The best that the kernel offers, found by trying.  KVIEW_AGENT_PROBES=single in the
 * environment has the last one, =multi the first one, to compare them and to test them
 * everywhere.
 */
enum links_kind links__best_kind(void);

/* To be called for the eBPF program of a probe before it is loaded. */
void links__prepare(enum links_kind kind, struct bpf_program *program);
/* The same for the one that sees whole calls. */
void links__prepare_whole(enum links_kind kind, struct bpf_program *program);

/* files: to be freed after the links.  edition: as in the cookies, modulo 4. */
struct links *links__new(enum links_kind kind, struct held_files *files, uint32_t edition,
			 struct error *error);
/* Detaches, and waits until the eBPF programs run no more. */
void links__free(struct links *links);
/*
 * The same for several sets, each of which may be NULL, in no particular order.  The kernel removes the
 * probes soon, but whoever closes a link then has to wait for all CPUs.  Here the sets wait for that
 * together, and the caller only when it calls links__wait_closed.
 */
struct links_closing;
struct links_closing *links__start_closing(struct links *const *sets, size_t nr);
void links__wait_closed(struct links_closing *closing);
/* Whether they are gone, without waiting. */
bool links__are_closed(struct links_closing *closing);

/* LINKS_SINGLE alone: detaches the probes of one function. */
void links__remove(struct links *links, uint32_t function_id);

/* LINKS_WHOLE alone: an eBPF program that sees whole calls.  Returns as links__add does. */
int links__add_whole(struct links *links, struct bpf_program *program, pid_t pid,
		     const struct places *places, struct error *error);

/* Returns 0, or -1 with error filled; what was attached before stays. */
int links__add(struct links *links, struct bpf_program *program, pid_t pid,
	       const struct places *places, bool on_return, struct error *error);

#endif
