// SPDX-License-Identifier: GPL-2.0
#include "lookup/names.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A limit, because a short hostile name can demangle to gigabytes. */
#define MAX_DEMANGLED_BYTES 16384

struct sink {
	jmp_buf too_long;
	size_t length;
	char text[MAX_DEMANGLED_BYTES];
};

static void sink__add(const char *piece, size_t length, void *opaque)
{
	struct sink *sink = opaque;

	if (length >= sizeof(sink->text) - sink->length)
		longjmp(sink->too_long, 1);	/* there is no other way to stop the demangler */
	memcpy(sink->text + sink->length, piece, length);
	sink->length += length;
}

static bool is_rust_legacy(const char *symbol)
{
	const char *hash = strstr(symbol, "17h");
	size_t digits = 0;

	if (strncmp(symbol, "_ZN", 3))
		return false;
	for (; hash; hash = strstr(hash + 1, "17h")) {
		digits = strspn(hash + 3, "0123456789abcdef");
		if (digits >= 16 && hash[19] == 'E')
			return true;
	}
	return false;
}

static char *demangle(const char *symbol, bool with_parameters)
{
	int options = DMGL_ANSI | (with_parameters ? DMGL_PARAMS : 0);
	volatile bool done = false;
	struct sink sink;

	sink.length = 0;	/* the text is not cleared: this runs for every symbol */
	if (setjmp(sink.too_long))
		return NULL;
	if (symbol[1] == 'R' || is_rust_legacy(symbol))
		done = rust_demangle_callback(symbol, options, sink__add, &sink);
	if (!done && symbol[1] == 'Z') {
		sink.length = 0;
		done = cplus_demangle_v3_callback(symbol, options, sink__add, &sink);
	}
	return done ? strndup(sink.text, sink.length) : NULL;
}

char *name__demangle(const char *symbol, bool with_parameters)
{
	const char *version;
	char *plain, *name, *whole = NULL;

	if (symbol[0] != '_' || (symbol[1] != 'Z' && symbol[1] != 'R'))
		return NULL;
	version = strchr(symbol, '@');
	if (!version)
		return demangle(symbol, with_parameters);
	plain = strndup(symbol, version - symbol);
	name = plain ? demangle(plain, with_parameters) : NULL;
	if (name && asprintf(&whole, "%s%s", name, version) < 0)
		whole = NULL;
	free(plain);
	free(name);
	return whole;
}

enum fn_language name__language(const char *symbol)
{
	if (symbol[0] == '_' && symbol[1] == 'R' && strchr("NIMXYC", symbol[2]) && symbol[2])
		return FN_LANG_RUST;
	if (is_rust_legacy(symbol))
		return FN_LANG_RUST;
	return symbol[0] == '_' && symbol[1] == 'Z' ? FN_LANG_CPP : FN_LANG_UNKNOWN;
}

size_t name__character_bytes(const char *name)
{
	const unsigned char *at = (const unsigned char *)name;
	uint32_t value = at[0];
	size_t bytes = at[0] < 0x80 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;

	if (bytes == 1)
		return value >= 0x20 && value != 0x7f;
	if (at[0] < 0xc2 || at[0] > 0xf4)
		return 0;
	value &= 0x3f >> (bytes - 1);
	for (size_t i = 1; i < bytes; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (at[i] & 0x3f);
	}
	if (value < 0xa0 || (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000) ||
	    (value >= 0xd800 && value < 0xe000) || value > 0x10ffff ||
	    /* Nor what changes the text's direction. */
	    (value >= 0x200e && value <= 0x202e) || (value >= 0x2066 && value <= 0x2069))
		return 0;
	return bytes;
}

char *name__printable(const char *name)
{
	char *printable = malloc(4 * strlen(name) + 1), *to = printable;

	if (!printable)
		return NULL;
	for (const char *at = name; *at; ) {
		size_t bytes = name__character_bytes(at);

		if (!bytes) {
			to += sprintf(to, "\\x%02x", (unsigned char)*at++);
			continue;
		}
		memcpy(to, at, bytes);
		to += bytes;
		at += bytes;
	}
	*to = 0;
	return printable;
}
