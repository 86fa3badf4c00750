/* SPDX-License-Identifier: GPL-2.0 */
/* One connection: it reads requests, and sends answers and data, until the input ends. */
#ifndef KVIEW_CONNECTION_H
#define KVIEW_CONNECTION_H

/* Serves a client over these descriptors until the end.  Returns the process's exit code. */
int connection__run(int in_fd, int out_fd);

#endif
