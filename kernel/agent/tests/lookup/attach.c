// SPDX-License-Identifier: GPL-2.0
/*
 * attach FILE LIMIT: asks this kernel for a uprobe on entries and ends that function lookup
 * found probeable, no two of the same kind of instruction, at most LIMIT (each takes long to
 * remove).  Prints how many it took and which it refused.  Exit 3: no right to probes here.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../src/lookup/functions.h"

static bool tried[1 << 16];
static unsigned int taken, refused, limit;

/* The kernel looks at the instruction where a process maps it: here. */
static int probe(const char *path, int type, uint64_t offset)
{
	struct perf_event_attr attr = {
		.type = type, .size = sizeof(attr), .config1 = (uintptr_t)path, .config2 = offset,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	int err = fd < 0 ? errno : 0;

	if (fd >= 0)
		close(fd);
	return err;
}

static void try(const char *path, const uint8_t *code, int type, const char *symbol,
		uint64_t offset)
{
	unsigned int kind = code[offset] << 8 | code[offset + 1];
	int err;

	if (tried[kind] || taken + refused >= limit)
		return;
	tried[kind] = true;
	err = probe(path, type, offset);
	if (err == EACCES || err == EPERM)
		exit(3);
	if (err) {
		printf("# %s at 0x%" PRIx64 " (%02x %02x): error %d\n", symbol, offset, code[offset],
		       code[offset + 1], err);
		refused++;
	} else {
		taken++;
	}
}

int main(int argc, char **argv)
{
	struct fn_query query = { .binary = argv[1], .pattern = "*", .limit = SIZE_MAX };
	struct error error;
	struct fn_list list;
	uint8_t *code;
	struct stat st;
	int type, fd;
	FILE *file;

	if (argc != 3)
		return 2;
	limit = atoi(argv[2]);
	file = fopen("/sys/bus/event_source/devices/uprobe/type", "re");
	if (!file || fscanf(file, "%d", &type) != 1)
		return 3;
	fclose(file);
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return 2;
	code = mmap(NULL, st.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (code == MAP_FAILED || fn_list__find(&list, &query, &error))
		return 2;
	for (size_t i = 0; i < list.nr; i++) {
		const struct fn_function *function = &list.functions[i];

		if (!function->probeable)
			continue;
		try(argv[1], code, type, function->symbol, function->entry_offset);
		for (size_t k = 0; k < function->nr_sites; k++)
			try(argv[1], code, type, function->symbol, function->sites[k].file_offset);
	}
	printf("%u kinds of instructions taken, %u refused\n", taken, refused);
	fn_list__free(&list);
	return refused ? 1 : 0;
}
