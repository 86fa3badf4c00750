/* SPDX-License-Identifier: GPL-2.0 */
/* With which files, pipes and sockets threads waited: what the mechanisms' eBPF programs read of them, as messages. */
#ifndef KVIEW_WAIT_FILES_H
#define KVIEW_WAIT_FILES_H

#include <stdint.h>
#include <sys/types.h>

#include "agent.pb-c.h"

struct wait_files;

struct wait_file {
	Kview__Wire__OpenFile message;
	uint32_t index;		/* in the list where it was last told; for who tells it */
};

/* Of a process; it is not told as its own peer.  NULL: no memory. */
struct wait_files *wait_files__new(pid_t pid);
/* NULL is allowed. */
void wait_files__free(struct wait_files *files);
/* From then on what may have changed is read again, once. */
void wait_files__begin(struct wait_files *files);
/* The one of this number in the map; valid as long as all.  NULL: it could not be read. */
struct wait_file *wait_files__of(struct wait_files *files, int map, uint64_t number);

#endif
