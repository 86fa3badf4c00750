/* SPDX-License-Identifier: GPL-2.0 */
/* Names of functions: as compilers mangle them, and as people write and mistype them. */
#ifndef KVIEW_NAMES_H
#define KVIEW_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "lookup/functions.h"

/*
 * The name as nm -C prints it, with or without parameters, and with the version if it has one; NULL
 * if it is not a mangled name of C++ or Rust.  The caller frees it.
 */
char *name__demangle(const char *symbol, bool with_parameters);
/* The language, by the way in which the name is mangled; FN_LANG_UNKNOWN if it is not mangled. */
enum fn_language name__language(const char *symbol);
/* The length of the UTF-8 character here; 0 if it is not valid, a control character, or changes the text's direction. */
size_t name__character_bytes(const char *name);
/* The name as valid UTF-8 without control characters: other bytes as \xNN.  The caller frees it. */
char *name__printable(const char *name);

/* A prepared pattern: cheap to apply to 100000 names of which few match. */
struct name_pattern {
	const char *text;
	bool is_glob;
	char needle[64];	/* part of every symbol that can match; "" if not known */
};
void name_pattern__init(struct name_pattern *pattern, const char *text);
/* Whether a symbol matches: as it is, without its version, demangled, or made printable. */
bool name_pattern__matches(const struct name_pattern *pattern, const char *symbol);
/* Whether a pattern that names a version (foo@VER, foo@@VER) matches a symbol of this version. */
bool name_pattern__matches_version(const struct name_pattern *pattern, const char *symbol,
				   const char *version);
/*
 * Knows * ? [abc] [!a-c] and \.  The time is at most proportional to the product of both lengths.
 */
bool name__matches_glob(const char *name, const char *glob);

/* Collects the names most similar to one that was not found. */
#define NEAR_NAMES 5
struct near_names {
	const char *wanted;
	size_t nr;
	struct { char *name; unsigned int distance; } best[NEAR_NAMES];
};
void near_names__offer(struct near_names *near, const char *symbol);
/* A NULL-terminated array that the caller frees, or NULL if none is similar; empties near. */
char **near_names__take(struct near_names *near);

#endif
