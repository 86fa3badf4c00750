/* SPDX-License-Identifier: GPL-2.0 */
/* Names of functions: as compilers mangle them, as people write and mistype them. */
#ifndef KVIEW_NAMES_H
#define KVIEW_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "lookup/functions.h"

/*
 * What nm -C prints, with parameters or without, and with the version if it has one; NULL if it is not a mangled name of C++
 * or Rust.  The caller's.
 */
char *name__demangle(const char *symbol, bool with_parameters);
/* By the way it is mangled; FN_LANG_UNKNOWN where it is not. */
enum fn_language name__language(const char *symbol);
/* The name as valid UTF-8 without control characters: others as \xNN.  The caller's. */
char *name__printable(const char *name);

/* A pattern made ready: cheap to apply to 100000 names, of which few match. */
struct name_pattern {
	const char *text;
	bool is_glob;
	char needle[64];	/* part of every symbol that can match; "" if not known */
};
void name_pattern__init(struct name_pattern *pattern, const char *text);
/* Whether a symbol matches by itself, without its version, demangled, or printable. */
bool name_pattern__matches(const struct name_pattern *pattern, const char *symbol);
/* Whether a pattern that names a version matches this one of a symbol: foo@VER, foo@@VER. */
bool name_pattern__matches_version(const struct name_pattern *pattern, const char *symbol,
				   const char *version);
/* With * ? [abc] [!a-c] and \; takes at most the product of both lengths. */
bool name__matches_glob(const char *name, const char *glob);

/* Gathers the names nearest to one that was not found. */
#define NEAR_NAMES 5
struct near_names {
	const char *wanted;
	size_t nr;
	struct { char *name; unsigned int distance; } best[NEAR_NAMES];
};
void near_names__offer(struct near_names *near, const char *symbol);
/* A NULL-terminated array of the caller's, or NULL if nothing is near; empties near. */
char **near_names__take(struct near_names *near);

#endif
