/* SPDX-License-Identifier: GPL-2.0 */
/* What tells a recording from others of the same name: the machine, the process, its files. */
#ifndef KVIEW_PROVENANCE_H
#define KVIEW_PROVENANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "agent.pb-c.h"
#include "base/error.h"
#include "mechanism/mechanisms.h"
#include "processes/processes.h"

/* Each writes at most size bytes to text, "" where the host does not say, and returns text. */
char *provenance__cpu_model(char *text, size_t size);
char *provenance__boot_id(char *text, size_t size);

/* The message's texts are the process's own. */
void provenance__process(Kview__Wire__Process *message, const struct ps_process *process);

struct provenance {
	struct ps_process process;	/* as its points are looked up */
	bool is_known;			/* it could be read */
	/* The file that it runs: its path changes as well where the file is renamed or deleted.  0: not known. */
	dev_t device;
	ino_t inode;
	Kview__Wire__Process message;
	Kview__Wire__Binary **binaries;
};

/*
 * Reads the process, before its points are looked up: these are of the program that it runs then, whatever it executes later.
 * To be freed in any case.
 */
void provenance__read(struct provenance *provenance, pid_t pid);
/* Once the points were found.  Returns -1 with error filled if the process runs another file by now. */
int provenance__check(const struct provenance *provenance, struct error *error);
/*
 * Fills in what the reply says of the process, where it could be read, and of the binaries.
 * Returns 0, or -1 for want of memory.  The reply is good until the provenance or the mechanisms are freed.
 */
int provenance__fill(struct provenance *provenance, Kview__Wire__StartRecordingReply *reply,
		     const struct mechanisms *mechanisms);
void provenance__free(struct provenance *provenance);

#endif
