/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Letting somebody into a view without waiting for him.  Whoever does it while a process is within an execve waits for the end of
 * that, which may never come, as from a file system that hangs, and only a signal that kills ends the wait.  So a child of the
 * agent's does it, and hands on what it got.
 */
#ifndef KVIEW_ATTACHING_H
#define KVIEW_ATTACHING_H

#include <stdbool.h>
#include <sys/types.h>

#include <libkview.h>

struct attaching {
	pid_t child;			/* 0: it was broken off */
	int socket;			/* readable when it is known; -1: nothing was begun, or it was ended */
};

struct attaching_result {
	int failed;			/* an errno; ETIMEDOUT: it was broken off */
	bool has_owner;			/* of EBUSY and EUSERS */
	struct kview_item owner;
};

/* How it is done: in the child, which has of the agent's descriptors the view's and that of the process alone. */
typedef struct kview_attachment *attaching__attach(struct kview_view *view, int process_fd, const void *context);

/* process_fd: or -1.  Returns 0, or an errno: then there is nothing to be ended. */
int attaching__begin(struct attaching *a, struct kview_view *view, int process_fd, attaching__attach *attach, const void *context);
/* Whether it is known within that time.  A signal does not end the wait. */
bool attaching__await(const struct attaching *a, unsigned int ms);
/* From now on there is nobody who lets anybody in; what it came to is known. */
void attaching__break_off(struct attaching *a);
/*
 * The attachment, or NULL; result may be NULL.  What is not known by now is broken off: it waits for nobody.  Where nothing was begun,
 * or it was ended already, NULL, and result is left alone.
 */
struct kview_attachment *attaching__end(struct attaching *a, struct attaching_result *result);

#endif
