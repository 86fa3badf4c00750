// SPDX-License-Identifier: GPL-2.0
/* The base's kernel text and variables, read through /proc/kcore, or by eBPF where that is not, as on the debugging kernel. */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>

#include "harness.h"
#include "patched.h"
#include "text.h"

static void read_by_bpf(unsigned long start, uint8_t *to, size_t size)
{
	uint8_t page[BPF_PAGE];
	size_t at, n;

	for (at = 0; at < size; at += n) {
		n = size - at < BPF_PAGE ? size - at : BPF_PAGE;
		bpf_read_kernel(start + at + n - BPF_PAGE, page);
		memcpy(to + at, page + BPF_PAGE - n, n);
	}
}

void kernel_read(unsigned long start, void *to, size_t size)
{
	int fd = open("/proc/kcore", O_RDONLY | O_CLOEXEC), i;
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	CHECK(fd >= 0 || errno == ENOENT);
	if (fd < 0) {
		read_by_bpf(start, to, size);
		return;
	}
	CHECK(pread(fd, &eh, sizeof(eh), 0) == sizeof(eh));
	for (i = 0; i < eh.e_phnum; i++) {
		size_t n = 0;

		CHECK(pread(fd, &ph, sizeof(ph), eh.e_phoff + i * sizeof(ph)) == sizeof(ph));
		if (start < ph.p_vaddr || start + size > ph.p_vaddr + ph.p_memsz)
			continue;
		while (n < size) {
			ssize_t r = pread(fd, (uint8_t *)to + n, size - n,
					  ph.p_offset + (start - ph.p_vaddr) + n);

			CHECK(r > 0);
			n += r;
		}
		close(fd);
		return;
	}
	fail(__FILE__, __LINE__, "%lx of the kernel is not in /proc/kcore", start);
}

struct text *text_read(void)
{
	unsigned long start = symbol("_text"), end = symbol("_etext");
	struct text *t = malloc(sizeof(*t) + end - start);

	CHECK(t && start && end > start);
	t->start = start;
	t->size = end - start;
	kernel_read(start, t->byte, t->size);
	return t;
}

/* The function that @addr is in. */
static void name_of(unsigned long addr, struct place *place)
{
	char func[128];
	unsigned long begin = symbol_before(addr, func, sizeof(func));

	place->addr = addr;
	snprintf(place->name, sizeof(place->name), "%s+%lu", func, addr - begin);
}

static void append(char *text, size_t size, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + used, size - used, fmt, ap);
	va_end(ap);
}

size_t text_differs(const struct text *a, const struct text *b, char *what, size_t size)
{
	const struct patched_site *site, *told = NULL;
	size_t i, n = 0, end = 0;
	struct place place;
	char reason[160];

	CHECK(a->start == b->start && a->size == b->size);
	*what = 0;
	if (!memcmp(a->byte, b->byte, a->size))
		return 0;
	for (i = 0; i < a->size; i++) {
		if (a->byte[i] == b->byte[i])
			continue;
		site = patched_at(a->start + i);
		if (site && patched_for_clock(site, a->start + i, b->byte + i))
			continue;
		if (!n++ || i > end) {
			name_of(a->start + i, &place);
			append(what, size, " %s:", place.name);
		}
		if (site && site != told) {
			patched_for(site, reason, sizeof(reason));
			append(what, size, " (%s)", reason);
		}
		append(what, size, " %02x>%02x", a->byte[i], b->byte[i]);
		told = site;
		end = i + 1;
	}
	return n;
}

void text_check(const struct text *before)
{
	char what[400];
	size_t n;
	int i;

	for (i = 0; i < PATIENCE / 20; i++) {
		struct text *after = text_read();

		n = text_differs(before, after, what, sizeof(what));
		free(after);
		if (!n)
			return;
		usleep(200000);
	}
	fail(__FILE__, __LINE__, "%zu bytes of the base's text differ:%s", n, what);
}

bool text_find_load(const struct text *t, const char *tracepoint, struct place *place)
{
	unsigned long funcs;
	char sym[128];
	size_t i;

	snprintf(sym, sizeof(sym), "__tracepoint_%s", tracepoint);
	/* struct tracepoint grew by a pointer, then two of them went elsewhere */
	funcs = symbol(sym) + (kernel_since(6, 14) ? 56 : kernel_since(6, 9) ? 72 : 64);
	for (i = 0; i + 7 <= t->size; i++) {
		const uint8_t *b = memchr(t->byte + i + 1, 0x8b, t->size - i - 6);
		int32_t rel;

		if (!b)
			break;
		i = --b - t->byte;
		if ((b[0] & 0xfb) != 0x48 || b[1] != 0x8b || (b[2] & 0xc7) != 5)
			continue;
		memcpy(&rel, b + 3, sizeof(rel));
		if (t->start + i + 7 + rel == funcs) {
			name_of(t->start + i, place);
			return true;
		}
	}
	return false;
}

bool text_probe_before(const struct place *at, unsigned int reach, struct place *place)
{
	char event[256];
	unsigned int d;

	for (d = 1; d <= reach; d++) {
		name_of(at->addr - d, place);
		snprintf(event, sizeof(event), "p:kv_try %s", place->name);
		/* an address that is not an instruction's is refused */
		if (!try_write_file(TRACING "kprobe_events", event) &&
		    !try_write_file(TRACING "events/kprobes/kv_try/enable", "1")) {
			write_file(TRACING "events/kprobes/kv_try/enable", "0");
			write_file(TRACING "kprobe_events", "");
			return true;
		}
		write_file(TRACING "kprobe_events", "");
	}
	return false;
}

void kprobes_settled(void)
{
	write_file("/proc/sys/debug/kprobes-optimization", "0");
	write_file("/proc/sys/debug/kprobes-optimization", "1");
}

bool kprobe_optimised(unsigned long addr, unsigned int ms)
{
	char hex[32];

	snprintf(hex, sizeof(hex), "%lx", addr);
	for (;; ms -= 20) {
		if (count_lines("/sys/kernel/debug/kprobes/list", hex, "[OPTIMIZED]", NULL))
			return true;
		if (ms < 20)
			return false;
		usleep(20000);
	}
}
