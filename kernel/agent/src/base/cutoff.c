// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cutoff.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *links;
static size_t nr, capacity;
static int nothing = -1;	/* what takes the place of a link */
static bool cut;

int cutoff__begin(void)
{
	nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	cut = false;
	nr = 0;
	return nothing < 0 ? -1 : 0;
}

void cutoff__end(void)
{
	if (nothing >= 0)
		close(nothing);
	free(links);
	nothing = -1;
	links = NULL;
	nr = capacity = 0;
}

static bool have_room(void)
{
	size_t wanted = capacity ? 2 * capacity : 64;
	int *more;

	if (nr < capacity)
		return true;
	more = realloc(links, wanted * sizeof(*links));
	if (!more)
		return false;
	links = more;
	capacity = wanted;
	return true;
}

/* Keeps the number in use, so that closing it later closes nothing that took the number meanwhile. */
static void cut_one(int fd)
{
	dup3(nothing, fd, O_CLOEXEC);
}

void cutoff__add(int fd)
{
	if (nothing < 0)
		return;
	pthread_mutex_lock(&mutex);
	/* A link that can't be noted is cut at once. */
	if (cut || !have_room())
		cut_one(fd);
	else
		links[nr++] = fd;
	pthread_mutex_unlock(&mutex);
}

void cutoff__remove(int fd)
{
	size_t i;

	if (nothing < 0)
		return;
	pthread_mutex_lock(&mutex);
	for (i = 0; i < nr; i++)
		if (links[i] == fd) {
			links[i] = links[--nr];
			break;
		}
	pthread_mutex_unlock(&mutex);
}

void cutoff__now(void)
{
	size_t i;

	pthread_mutex_lock(&mutex);
	cut = true;
	for (i = 0; i < nr; i++)
		cut_one(links[i]);
	nr = 0;
	pthread_mutex_unlock(&mutex);
}
