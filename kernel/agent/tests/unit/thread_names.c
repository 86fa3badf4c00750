// SPDX-License-Identifier: GPL-2.0
/*
 * Threads are named once each, though events of several CPUs are told one CPU after the other: what a
 * thread did before it ended may be told behind its end.
 */
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "recording/thread_names.h"

#define MS	1000000ULL

static void check(const char *name, bool good)
{
	printf("%s %s\n", good ? "ok" : "not ok", name);
}

static void count(void *context, uint32_t tid, const char *name)
{
	++*(int *)context;
}

/* A process that writes its own calls can name any threads: in one bucket, if it knew which, and as many as there are numbers. */
static void check_made_up(struct thread_names *names)
{
	size_t begin = mallinfo2().uordblks, most = 0;
	char name[CTF_NAME_BYTES + 1];

	for (uint32_t i = 1; i <= 150000; i++) {
		thread_names__meet(names, i << 12, 1, name);
		if (i % 10000 == 0 && mallinfo2().uordblks - begin > most)
			most = mallinfo2().uordblks - begin;
	}
	check("as many as there may be take some memory and time, and no more", most < 8 << 20);
}

int main(void)
{
	struct thread_names *names = thread_names__new(getpid());
	uint32_t tid = getpid(), other = 4194000;
	char name[CTF_NAME_BYTES + 1] = "?";
	int changes = 0;

	check("a thread is named as it is met",
	      thread_names__meet(names, tid, 5 * MS, name) && !strcmp(name, "thread_names"));
	check("once", !thread_names__meet(names, tid, 6 * MS, name));
	thread_names__end(names, tid, 9 * MS);
	check("what it did before its end is told behind it, without a name",
	      !thread_names__meet(names, tid, 8 * MS, name) &&
	      !thread_names__meet(names, tid, 9 * MS, name));
	thread_names__changed(names, count, &changes);
	check("its name changes no more", !changes);
	thread_names__told_until(names, 8 * MS);
	check("also once all before that was told", !thread_names__meet(names, tid, 9 * MS, name));
	check("a thread that has its number later is named anew",
	      thread_names__meet(names, tid, 10 * MS, name) &&
	      !thread_names__meet(names, tid, 11 * MS, name));
	thread_names__told_until(names, 20 * MS);
	check("and is not forgotten with the first one", !thread_names__meet(names, tid, 21 * MS, name));
	check("one whose name can't be read has none, once",
	      thread_names__meet(names, other, 5 * MS, name) && !*name &&
	      !thread_names__meet(names, other, 6 * MS, name));
	thread_names__end(names, other, 7 * MS);
	thread_names__told_until(names, 7 * MS);
	check("one that ended is forgotten when all until then was told",
	      thread_names__meet(names, other, 7 * MS, name));
	check_made_up(names);
	thread_names__free(names);
	return 0;
}
