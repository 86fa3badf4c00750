/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Context switches of a process told by perf events of its own threads, so that no eBPF program runs at any other process's; see
 * bpf/own-switches.bpf.h.
 *
 *	own_switches__missing -> own_switches__choose -> load the object -> own_switches__learn -> own_switches__attach
 */
#ifndef KVIEW_OWN_SWITCHES_H
#define KVIEW_OWN_SWITCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct bpf_link;
struct bpf_object;
struct mechanism_load;

/* What others pay then. */
#define OWN_SWITCHES_NOTE "Others' context switches run no eBPF program, and take about 0.1 µs longer, as the kernel then looks for events at each: the process's own context-switch events tell when its threads leave their CPUs, and the scheduler's account how long they then wait for one."

struct own_switches {
	struct own_thread *threads;
	size_t nr;
};

/*
 * What tells of the switches in a recording: the process's own events, if it can be so, and nothing else is to be told that takes
 * the host's.  more: why the caller's own options take these, a part of a sentence; NULL: they don't.  Returns 1 or 0, and why; -1 with
 * error filled where what was asked for can't be.
 */
int own_switches__wanted(const struct mechanism_load *load, pid_t pid, const char *more, char *why, size_t size,
			 struct error *error);

/* Why not, after all, where the kernel refused the programs for it; false: it was asked for so, and there is no other way. */
bool own_switches__give_up(bool *are_chosen, const struct mechanism_load *load, char *why, size_t size);
/* Says why the host's switches are told, if there is a reason, behind what is in text. */
void own_switches__tell_why(const char *why, char *text, size_t size);

/* Before the object is loaded: which of its programs and maps are. */
void own_switches__choose(struct bpf_object *object, bool are_chosen);
/* After that: opens what tells the CPUs' clocks, and learns how these stand.  Returns 0, or -1 with error filled. */
int own_switches__learn(struct bpf_object *object, struct error *error);

/* Of all threads that the process has, and will have.  Returns 0, or -1 with errno and nothing attached. */
int own_switches__attach(struct own_switches *own, const struct bpf_object *object, pid_t pid);
void own_switches__detach(struct own_switches *own);

#endif
