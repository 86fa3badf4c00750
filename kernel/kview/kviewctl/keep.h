/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Views that outlive a command.  A view lives as long as its file descriptors; so
 * "create" leaves a process behind that holds them, the keeper.  It listens at a socket
 * that has the view's name, in a directory of its user alone:
 *
 *	create NAME	makes the view and its sites, then becomes its keeper
 *	attach NAME	gets the view's descriptor, attaches, hands the attachment over
 *	list, stat	ask for text
 *	detach, remove	tell it what to close
 *
 * So the rights and namespaces that count are those of the process that attaches, not the keeper's.
 */
#ifndef KVIEWCTL_KEEP_H
#define KVIEWCTL_KEEP_H

#include "sites.h"
#include "target.h"

/*
 * Each returns an exit code, having said on stderr what failed; only one that creates or attaches
 * needs capabilities.  What is asked for is printed on stdout.
 */
int keep__create(struct kview *k, const char *name, struct sites *s);
int keep__attach(const char *name, const struct target *t);
int keep__list(void);
int keep__stat(const char *name);
/* Fails where the target, named in the same words, is not attached; without one it detaches all. */
int keep__detach(const char *name, const struct target *t);	/* without one: all */
int keep__remove(const char *name);

#endif /* KVIEWCTL_KEEP_H */
