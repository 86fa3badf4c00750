// SPDX-License-Identifier: GPL-2.0
#include "recording/lock_holders.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/loop.h"

/* For a round and for all of them: the agent does nothing else meanwhile. */
#define MOST_NS		50000000ULL
#define MOST_IN_ALL_NS	(40 * MOST_NS)

/* Whether both are there, and number processes likewise. */
static bool have_one_namespace(uint32_t one, uint32_t other)
{
	struct stat its, others;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/ns/pid", one);
	if (stat(path, &its))
		return false;
	snprintf(path, sizeof(path), "/proc/%u/ns/pid", other);
	return !stat(path, &others) && its.st_ino == others.st_ino && its.st_dev == others.st_dev;
}

/* A byte of memory that processes can share. */
struct shared_byte {
	unsigned int major, minor;
	uint64_t inode, offset;
};

/* The byte that a process has at an address; without one, whether it has that byte anywhere.  False as well where there is no time to look. */
static bool find_byte(const struct lock_holders *holders, uint32_t pid, const uint64_t *address, struct shared_byte *byte)
{
	uint64_t start, end;
	struct shared_byte at;
	char path[64], line[4608], sharing;
	bool found = false;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	maps = fopen(path, "re");
	while (maps && !found && clock__cpu_ns() < holders->until_ns && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*3c%c %" SCNx64 " %x:%x %" SCNu64, &start, &end, &sharing, &at.offset, &at.major,
			   &at.minor, &at.inode) != 7 || sharing != 's' || !at.inode)
			continue;
		if (address) {
			found = *address >= start && *address < end;
			at.offset += *address - start;
			*byte = at;
		} else {
			found = at.major == byte->major && at.minor == byte->minor && at.inode == byte->inode && byte->offset >= at.offset &&
				byte->offset - at.offset < end - start;
		}
	}
	if (maps)
		fclose(maps);
	return found;
}

void lock_holders__init(struct lock_holders *holders, pid_t pid)
{
	struct stat own, its;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/pid", pid);
	*holders = (struct lock_holders){ .pid = pid };
	holders->has_numbers_of_its_own = stat("/proc/self/ns/pid", &own) || stat(path, &its) || own.st_ino != its.st_ino;
}

const struct lock_holder *lock_holders__of(struct lock_holders *holders, uint32_t tid)
{
	struct lock_holder *holder;
	char path[64];
	FILE *comm;
	uint32_t i;

	if (holders->has_numbers_of_its_own)
		return NULL;
	for (i = 0; i < holders->nr; i++)
		if (holders->known[i].tid == tid)
			return &holders->known[i];
	if (holders->nr == MOST_HOLDERS)
		return NULL;
	snprintf(path, sizeof(path), "/proc/%d/task/%u/comm", holders->pid, tid);
	comm = fopen(path, "re");
	if (!comm)
		return NULL;
	holder = &holders->known[holders->nr];
	*holder = (struct lock_holder){ .tid = tid };
	i = fread(holder->name, 1, sizeof(holder->name), comm);
	fclose(comm);
	/* It ended meanwhile. */
	if (!i)
		return NULL;
	/* Its last byte is the line's end. */
	holder->name[i - 1] = '\0';
	holders->nr++;
	return holder;
}

void lock_holders__begin(struct lock_holders *holders)
{
	holders->until_ns = holders->took_ns < MOST_IN_ALL_NS ? clock__cpu_ns() + MOST_NS : 0;
}

bool lock_holders__share(struct lock_holders *holders, uint32_t pid, uint64_t lock)
{
	uint64_t begin_ns;
	struct shared_byte byte;
	bool shares;
	uint32_t i;

	for (i = 0; i < holders->nr_sharers; i++)
		if (holders->sharers[i].pid == pid && holders->sharers[i].lock == lock)
			return holders->sharers[i].shares;
	begin_ns = clock__cpu_ns();
	if (holders->nr_sharers == MOST_HOLDERS || begin_ns >= holders->until_ns)
		return false;
	shares = have_one_namespace(holders->pid, pid) && find_byte(holders, holders->pid, &lock, &byte) &&
		 find_byte(holders, pid, NULL, &byte);
	holders->took_ns += clock__cpu_ns() - begin_ns;
	/* Without an answer the next round asks again. */
	if (shares || clock__cpu_ns() < holders->until_ns)
		holders->sharers[holders->nr_sharers++] = (struct lock_sharer){ .pid = pid, .lock = lock, .shares = shares };
	return shares;
}
