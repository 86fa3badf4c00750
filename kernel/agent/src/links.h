/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes on many places at once: one uprobe.multi link for each binary and program.
 * Attaching a thousand takes milliseconds that way, and so does detaching.
 */
#ifndef KVIEW_LINKS_H
#define KVIEW_LINKS_H

#include <bpf/libbpf.h>

#include "xprobe.h"

struct links;

struct links *links__new(struct fn_error *error);
/* Detaches, in the order of attaching, and waits until the programs run no more. */
void links__free(struct links *links);

/* Each returns 0, or -1 with error filled; what was attached before stays. */
int links__add_entries(struct links *links, struct bpf_program *program, pid_t pid,
		       const struct xprobe_function *functions, size_t nr, struct fn_error *error);
int links__add_returns(struct links *links, struct bpf_program *program, pid_t pid,
		       const struct xprobe_function *functions, size_t nr, struct fn_error *error);
int links__add_sites(struct links *links, struct bpf_program *program, pid_t pid,
		     const struct xprobe_function *functions, size_t nr, struct fn_error *error);

#endif
