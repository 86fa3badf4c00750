/* SPDX-License-Identifier: GPL-2.0 */
/* Messages between kviewctl and a view's keeper: a text, and perhaps a file descriptor. */
#ifndef KVIEWCTL_LINK_H
#define KVIEWCTL_LINK_H

#include <stdbool.h>
#include <stdint.h>

#define PATIENCE_S	10

enum verb {
	VERB_VIEW = 1,		/* asks for the view's descriptor */
	VERB_ADD,		/* an attachment's descriptor; its label */
	VERB_SUMMARY,		/* a line about the view */
	VERB_STAT,		/* all about it */
	VERB_DETACH,		/* closes the attachments of that label, or all */
	VERB_REMOVE,		/* closes everything */
	VERB_ANSWER,
};

struct message {
	uint32_t verb;
	int32_t error;		/* of an answer: an errno, or 0 */
	char text[4088];	/* ends with a NUL byte */
};

/* The directory of the sockets, made if need be; NULL with errno. */
const char *link__directory(void);
/* A keeper's socket: connected, or bound and listening.  -1 with errno. */
int link__connect(const char *name);
int link__listen(const char *name);
int link__accept(int listener);		/* whoever is of this user, or root's */
void link__unlink(const char *name);
/* A send or receive that takes longer than PATIENCE_S seconds fails. */
bool link__send(int link, const struct message *m, int fd);
/* *fd: what came along, or -1; may be NULL, then nothing may come. */
bool link__receive(int link, struct message *m, int *fd);
#endif /* KVIEWCTL_LINK_H */
