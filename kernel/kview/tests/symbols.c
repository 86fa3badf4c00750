// SPDX-License-Identifier: GPL-2.0
/*
 * Symbols of the kernel image.  The kernel makes /proc/kallsyms anew for whoever reads it, a second's
 * work under emulation, and nothing of the image's changes: so a guest reads it once, into a file.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "harness.h"
#include "symbols.h"

#define COPY "/tmp/kallsyms"

/* ADDRESS TYPE NAME, a line a symbol */
static const char *image;
static size_t image_size;

/* Modules' symbols come last, and change. */
static bool make_copy(void)
{
	FILE *in = fopen("/proc/kallsyms", "re"), *out = fopen(COPY ".new", "we");
	char line[512];
	bool ok = in && out, seen = false;

	while (ok && fgets(line, sizeof(line), in) && !strchr(line, '[')) {
		/* who may not see the addresses sees zeros */
		seen = seen || strtoul(line, NULL, 16);
		fputs(line, out);
	}
	if (in)
		fclose(in);
	if (out)
		ok = !fclose(out) && ok;
	return ok && seen && !rename(COPY ".new", COPY);
}

static bool copy_mapped(void)
{
	struct stat st;
	void *m;
	int fd;

	if (image)
		return true;
	fd = open(COPY, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && make_copy())
		fd = open(COPY, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	CHECK(!fstat(fd, &st) && st.st_size > 0);
	m = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	CHECK(m != MAP_FAILED);
	image = m;
	image_size = st.st_size;
	return true;
}

static unsigned long symbol_now(const char *name)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	unsigned long addr, found = 0;
	char type, sym[256];
	char line[512];

	CHECK(f);
	while (!found && fgets(line, sizeof(line), f))
		if (strstr(line, name) &&
		    sscanf(line, "%lx %c %255s", &addr, &type, sym) == 3 && !strcmp(sym, name))
			found = addr;
	fclose(f);
	return found;
}

unsigned long symbol(const char *name)
{
	char mark[256];
	const char *at;

	if (!copy_mapped())
		return symbol_now(name);
	snprintf(mark, sizeof(mark), " %s\n", name);
	at = memmem(image, image_size, mark, strlen(mark));
	/* a module's, or none */
	if (!at)
		return symbol_now(name);
	while (at > image && at[-1] != '\n')
		at--;
	return strtoul(at, NULL, 16);
}

FILE *symbols_open(void)
{
	FILE *f = copy_mapped() ? fopen(COPY, "re") : NULL;

	CHECK(f);
	return f;
}

unsigned long symbol_before(unsigned long addr, char *name, size_t size)
{
	/* What was found last, up to the next function: who tries one address after the other goes through all symbols once. */
	static const char *best_line;
	static unsigned long best, next;
	const char *line, *end;

	CHECK(copy_mapped());
	if (addr >= best && addr < next)
		goto out;
	best = 0;
	next = ~0UL;
	best_line = NULL;
	for (line = image; line < image + image_size; line = end + 1) {
		unsigned long a = 0;
		const char *c;

		end = memchr(line, '\n', image + image_size - line);
		for (c = line; *c != ' '; c++)
			a = a << 4 | (*c <= '9' ? *c - '0' : *c - 'a' + 10);
		if (c[1] != 't' && c[1] != 'T')
			continue;
		if (a > addr) {
			if (a < next)
				next = a;
		} else if (a > best) {
			best = a;
			best_line = c + 3;
		}
	}
out:
	CHECK(best_line);
	end = strchrnul(best_line, '\n');
	snprintf(name, size, "%.*s", (int)(end - best_line), best_line);
	return best;
}

void variable_at(unsigned long addr, char *name, size_t size)
{
	FILE *f = symbols_open();
	unsigned long at, best = 0;
	char type, sym[256];
	char line[512];

	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx %c %255s", &at, &type, sym) == 3 && at <= addr && at > best) {
			best = at;
			snprintf(name, size, "%s", sym);
		}
	fclose(f);
	CHECK(best);
	if (addr > best)
		snprintf(name + strlen(name), size - strlen(name), "+%lu", addr - best);
}
