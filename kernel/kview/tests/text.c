// SPDX-License-Identifier: GPL-2.0
/* The base's kernel text, read through /proc/kcore, or by eBPF where that is not, as on the debugging kernel. */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>

#include "harness.h"
#include "text.h"

struct text *text_read(void)
{
	unsigned long start = symbol("_text"), end = symbol("_etext");
	int fd = open("/proc/kcore", O_RDONLY | O_CLOEXEC), i;
	struct text *t = malloc(sizeof(*t) + end - start);
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	CHECK((fd >= 0 || errno == ENOENT) && t && start && end > start + BPF_PAGE);
	t->start = start;
	t->size = end - start;
	if (fd < 0) {
		unsigned long at;

		for (at = 0; at < t->size - BPF_PAGE; at += BPF_PAGE)
			bpf_read_kernel(start + at, t->byte + at);
		bpf_read_kernel(end - BPF_PAGE, t->byte + t->size - BPF_PAGE);
		return t;
	}
	CHECK(pread(fd, &eh, sizeof(eh), 0) == sizeof(eh));
	for (i = 0; i < eh.e_phnum; i++) {
		size_t n = 0;

		CHECK(pread(fd, &ph, sizeof(ph), eh.e_phoff + i * sizeof(ph)) == sizeof(ph));
		if (start < ph.p_vaddr || end > ph.p_vaddr + ph.p_memsz)
			continue;
		while (n < t->size) {
			ssize_t r = pread(fd, t->byte + n, t->size - n,
					  ph.p_offset + (start - ph.p_vaddr) + n);

			CHECK(r > 0);
			n += r;
		}
		close(fd);
		return t;
	}
	fail(__FILE__, __LINE__, "no kernel text in /proc/kcore");
}

size_t text_differs(const struct text *a, const struct text *b, unsigned long *at)
{
	size_t i, n = 0;

	CHECK(a->start == b->start && a->size == b->size);
	if (!memcmp(a->byte, b->byte, a->size))
		return 0;
	for (i = 0; i < a->size; i++)
		if (a->byte[i] != b->byte[i] && !n++ && at)
			*at = a->start + i;
	return n;
}

/* The function that @addr is in. */
static void name_of(unsigned long addr, struct place *place)
{
	char func[128];
	unsigned long begin = symbol_before(addr, func, sizeof(func));

	place->addr = addr;
	snprintf(place->name, sizeof(place->name), "%s+%lu", func, addr - begin);
}

void text_describe(const struct text *a, const struct text *b, char *what, size_t size)
{
	size_t i, end = 0, length = 0;
	struct place place;

	*what = 0;
	for (i = 0; i < a->size && length < size; i++) {
		if (a->byte[i] == b->byte[i])
			continue;
		if (i > end) {
			name_of(a->start + i, &place);
			length += snprintf(what + length, size - length, " %s:", place.name);
		}
		if (length < size)
			length += snprintf(what + length, size - length, " %02x>%02x", a->byte[i], b->byte[i]);
		end = i + 1;
	}
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
