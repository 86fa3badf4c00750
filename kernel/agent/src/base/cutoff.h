/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Links of probes that a separate thread (exec_watch.h) can remove at once, whatever the agent is doing
 * at that moment.  The numbers of their descriptors stay in use until the owner closes them as usual.
 */
#ifndef KVIEW_CUTOFF_H
#define KVIEW_CUTOFF_H

/* From now on cutoff__add takes note of links.  Returns 0, or -1 with errno. */
int cutoff__begin(void);
/* From now on cutoff__add does not.  To be called only while no other thread can call cutoff__now. */
void cutoff__end(void);

/*
 * Takes note of a new link, or closes it at once if cutoff__now was called.  Does nothing before cutoff__begin.
 */
void cutoff__add(int fd);
/* Forgets a link; to be called before the link is closed. */
void cutoff__remove(int fd);

/* Closes all links, also those that are added later.  Any thread may call it; returns when it is done. */
void cutoff__now(void);

#endif
