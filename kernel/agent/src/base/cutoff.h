/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Links of probes that can be removed at once, whatever the agent is doing then: a separate thread
 * does it (exec_watch.h).  The numbers of their descriptors stay in use until the owner closes them
 * as usual.
 */
#ifndef KVIEW_CUTOFF_H
#define KVIEW_CUTOFF_H

/* From now on cutoff__add takes note of links.  Returns 0, or -1 with errno. */
int cutoff__begin(void);
/* From now on it does not.  Only while no other thread can call cutoff__now. */
void cutoff__end(void);

/*
 * Takes note of a new link; after cutoff__now it is closed at once.  Does nothing before cutoff__begin.
 */
void cutoff__add(int fd);
/* To be called before it is closed. */
void cutoff__remove(int fd);

/* Closes all links, also those that are added later.  Any thread may call it; returns when it is done. */
void cutoff__now(void);

#endif
