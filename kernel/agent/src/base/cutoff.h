/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Links of probes that go at once when they have to, whatever the agent is doing then: a thread
 * of its own closes them (exec_watch.h).  Their numbers stay taken until they are closed as ever.
 */
#ifndef KVIEW_CUTOFF_H
#define KVIEW_CUTOFF_H

/* From here on links are noted.  Returns 0, or -1 with errno. */
int cutoff__begin(void);
/* And none from here on; only when no other thread may call cutoff__now. */
void cutoff__end(void);

/* A link that was made: closed at once where all were.  Does nothing where none are noted. */
void cutoff__add(int fd);
/* To be called before it is closed. */
void cutoff__remove(int fd);

/* Closes all, those that come later as well, and returns when that is done; by any thread. */
void cutoff__now(void);

#endif
