// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "recording/thread_names.h"

#define BUCKET_BITS	12
#define BUCKETS		(1U << BUCKET_BITS)
/*
 * Numbers can be a traced process's to make up, so that each is told once and never ends.  Beyond so many all are forgotten: who
 * is met again is named again.
 */
#define MOST_THREADS	(1U << 16)

struct thread {
	struct thread *next;
	uint32_t tid;
	uint64_t ended_ns;	/* 0: it did not */
	char name[CTF_NAME_BYTES + 1];
};

struct thread_names {
	pid_t pid;
	size_t nr, nr_ended;
	uint32_t seed;		/* odd, and no process's to know: none can choose numbers that all have one bucket */
	struct thread *buckets[BUCKETS];
};

struct thread_names *thread_names__new(pid_t pid)
{
	struct thread_names *names = calloc(1, sizeof(*names));

	if (names && getrandom(&names->seed, sizeof(names->seed), 0) != sizeof(names->seed)) {
		free(names);
		return NULL;
	}
	if (names) {
		names->pid = pid;
		names->seed |= 1;
	}
	return names;
}

static void forget_all(struct thread_names *names)
{
	struct thread *thread;
	size_t i;

	for (i = 0; i < BUCKETS; i++)
		while ((thread = names->buckets[i])) {
			names->buckets[i] = thread->next;
			free(thread);
		}
	names->nr = names->nr_ended = 0;
}

void thread_names__free(struct thread_names *names)
{
	if (names)
		forget_all(names);
	free(names);
}

static struct thread **thread_names__find(struct thread_names *names, uint32_t tid)
{
	struct thread **at = &names->buckets[tid * names->seed >> (32 - BUCKET_BITS)];

	while (*at && (*at)->tid != tid)
		at = &(*at)->next;
	return at;
}

static void read_name(pid_t pid, uint32_t tid, char name[CTF_NAME_BYTES + 1])
{
	char path[64];
	FILE *file;

	*name = '\0';
	if (pid)
		snprintf(path, sizeof(path), "/proc/%d/task/%u/comm", pid, tid);
	else
		snprintf(path, sizeof(path), "/proc/%u/comm", tid);
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(name, CTF_NAME_BYTES + 1, file))
		name[strcspn(name, "\n")] = '\0';
	fclose(file);
}

bool thread_names__meet(struct thread_names *names, uint32_t tid, uint64_t time_ns,
			char name[CTF_NAME_BYTES + 1])
{
	struct thread **at = thread_names__find(names, tid);

	if (*at && (!(*at)->ended_ns || time_ns <= (*at)->ended_ns))
		return false;
	if (!*at && names->nr == MOST_THREADS) {
		forget_all(names);
		at = thread_names__find(names, tid);
	}
	if (*at)
		names->nr_ended--;
	else if ((*at = calloc(1, sizeof(**at))))
		names->nr++;
	if (!*at)
		return false;
	(*at)->tid = tid;
	(*at)->ended_ns = 0;
	read_name(names->pid, tid, (*at)->name);
	strcpy(name, (*at)->name);
	return true;
}

void thread_names__end(struct thread_names *names, uint32_t tid, uint64_t time_ns)
{
	struct thread *thread = *thread_names__find(names, tid);

	if (!thread)
		return;
	names->nr_ended += !thread->ended_ns;
	thread->ended_ns = time_ns;
}

void thread_names__told_until(struct thread_names *names, uint64_t time_ns)
{
	struct thread **at, *thread;
	size_t i;

	for (i = 0; i < BUCKETS && names->nr_ended; i++)
		for (at = &names->buckets[i]; (thread = *at);) {
			if (!thread->ended_ns || thread->ended_ns > time_ns) {
				at = &thread->next;
				continue;
			}
			*at = thread->next;
			free(thread);
			names->nr_ended--;
			names->nr--;
		}
}

void thread_names__changed(struct thread_names *names,
			   void (*changed)(void *context, uint32_t tid, const char *name),
			   void *context)
{
	char name[CTF_NAME_BYTES + 1];
	struct thread *thread;
	size_t i;

	for (i = 0; i < BUCKETS; i++)
		for (thread = names->buckets[i]; thread; thread = thread->next) {
			if (thread->ended_ns)
				continue;
			read_name(names->pid, thread->tid, name);
			if (!*name || !strcmp(name, thread->name))
				continue;
			strcpy(thread->name, name);
			changed(context, thread->tid, name);
		}
}
