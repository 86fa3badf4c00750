/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An open file of ours in a stopped process: it makes a pair of sockets, we take one of them, and send the file through it.  So
 * nothing needs a name, and the process needs no right to open it.
 */
#ifndef KVIEW_JUMP_HANDOVER_H
#define KVIEW_JUMP_HANDOVER_H

#include "place/inject.h"

/* Memory that it needs in the process. */
#define HANDOVER_BYTES 256

/*
 * room: in the process, may be written, and is 0 again afterwards.  Returns the file's number in the process, which is for
 * handover__close, or -1 with error.  Who is killed meanwhile leaves up to three files open there, up to the next program.
 */
int handover__give(struct injector *injector, uint64_t room, int file, struct error *error);
void handover__close(struct injector *injector, int number);

#endif
