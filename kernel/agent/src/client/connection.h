/* SPDX-License-Identifier: GPL-2.0 */
/* One connection: requests in, answers and data out, until the input ends. */
#ifndef KVIEW_CONNECTION_H
#define KVIEW_CONNECTION_H

/* Serves the descriptors until the end; returns the process's exit code. */
int connection__run(int in_fd, int out_fd);

#endif
