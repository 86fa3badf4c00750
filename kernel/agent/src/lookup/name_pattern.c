// SPDX-License-Identifier: GPL-2.0
#include "lookup/names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Words that a demangled name can contain although its symbol does not: the symbol abbreviates
 * them, or the demangler adds them.
 */
static const char *const demanglers_words[] = {
	"std", "allocator", "basic_string", "basic_istream", "basic_ostream", "basic_iostream",
	"char_traits", "istream", "ostream", "iostream", "string", "operator", "anonymous",
	"namespace", "unsigned", "signed", "char", "char8_t", "char16_t", "char32_t", "wchar_t",
	"short", "long", "int", "__int128", "bool", "void", "float", "double", "decltype",
	"nullptr_t", "auto", "const", "volatile", "restrict", "noexcept", "throw", "lambda",
	"unnamed", "type", "clone", "cold", "part", "isra", "constprop", "virtual", "thunk",
	"non", "covariant", "return", "guard", "variable", "for", "to", "new", "delete", "sizeof",
	"static_cast", "true", "false", "complex", "closure", "shim", "extern", "dyn", "impl",
	"isize", "usize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128",
	"f32", "f64", "str", "mut", "unsafe", "transaction", "safe", "TLS", "init", "function",
	"wrapper", "template", "parameter", "object", "__vector", "_Complex", "_Imaginary",
	"decimal32", "decimal64", "decimal128", "half", "_Float", "abi", "cxx11", "as", "fn",
};

static bool is_word_character(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool is_demanglers_word(const char *word)
{
	for (size_t i = 0; i < sizeof(demanglers_words) / sizeof(demanglers_words[0]); i++)
		if (strstr(demanglers_words[i], word))
			return true;
	/* The demangler writes numbers differently: in another base, or with another meaning. */
	return isdigit((unsigned char)word[0]);
}

/*
 * Finds the longest word of the pattern that every matching symbol must contain, so that only few
 * symbols need to be demangled.  In a pattern with other characters than ASCII, or with escapes, no
 * word is certain.
 */
static void find_needle(struct name_pattern *pattern)
{
	const char *text = pattern->text;
	char word[sizeof(pattern->needle)];
	size_t best = 2;

	pattern->needle[0] = 0;
	for (const char *at = text; *at; at++)
		if ((unsigned char)*at >= 0x80 || *at == '\\' || *at == '$' ||
		    (pattern->is_glob && *at == '['))
			return;
	for (const char *at = text; *at; ) {
		size_t length = 0;

		while (is_word_character(at[length]))
			length++;
		if (length > best && length < sizeof(word)) {
			memcpy(word, at, length);
			word[length] = 0;
			if (!is_demanglers_word(word)) {
				strcpy(pattern->needle, word);
				best = length;
			}
		}
		at += length ? length : 1;
	}
}

void name_pattern__init(struct name_pattern *pattern, const char *text)
{
	pattern->text = text;
	pattern->is_glob = strpbrk(text, "*?[") != NULL;
	find_needle(pattern);
}

/* Whether a character is in a class.  *end is set to what follows it; NULL: it is not closed. */
static bool matches_class(char c, const char *class, const char **end)
{
	bool negated = *class == '!' || *class == '^', found = false;
	const char *at = class + negated;

	do {
		char low, high;

		if (*at == '\\' && at[1])
			at++;
		if (!*at) {
			*end = NULL;
			return false;
		}
		low = high = *at++;
		if (*at == '-' && at[1] && at[1] != ']') {
			high = at[1];
			at += 2;
		}
		found |= (unsigned char)low <= (unsigned char)c &&
			 (unsigned char)c <= (unsigned char)high;
	} while (*at != ']');
	*end = at + 1;
	return found != negated;
}

/* It is enough to go back to the last *: trying other matches of an earlier one can't help. */
bool name__matches_glob(const char *name, const char *glob)
{
	const char *star = NULL, *star_name = NULL, *end;

	for (;;) {
		bool same;

		if (*glob == '*') {
			star = ++glob;
			star_name = name;
			continue;
		}
		if (!*name) {
			if (!*glob)
				return true;
			return false;
		}
		end = glob + 1;
		if (*glob == '[') {
			same = matches_class(*name, glob + 1, &end);
			if (!end) {		/* not closed: an ordinary character */
				same = *name == '[';
				end = glob + 1;
			}
		} else if (*glob == '\\' && glob[1]) {
			same = *name == glob[1];
			end = glob + 2;
		} else {
			same = *glob && (*glob == '?' || *glob == *name);
		}
		if (same) {
			name++;
			glob = end;
		} else if (star) {
			glob = star;
			name = ++star_name;
		} else {
			return false;
		}
	}
}

static bool matches_text(const struct name_pattern *pattern, const char *name)
{
	return !strcmp(name, pattern->text) ||
	       (pattern->is_glob && name__matches_glob(name, pattern->text));
}

static bool matches_and_free(const struct name_pattern *pattern, char *name)
{
	bool matches = name && matches_text(pattern, name);

	free(name);
	return matches;
}

static bool needs_escapes(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name < 0x20 || (unsigned char)*name >= 0x7f)
			return true;
	return false;
}

/*
 * Where the suffix begins by which a compiler marks another version of the same function; NULL if
 * there is none.  A part of a function (.part, .cold) is not a version of it.
 */
static const char *version_suffix(const char *symbol)
{
	static const char *const marks[] = {
		".isra.", ".constprop.", ".lto_priv.", ".llvm.", ".localalias", ".__uniq.",
	};
	const char *first = NULL;

	if (strstr(symbol, ".part.") || strstr(symbol, ".cold"))
		return NULL;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		const char *mark = strstr(symbol, marks[i]);

		if (mark && mark > symbol && (!first || mark < first))
			first = mark;
	}
	if (!first)
		first = strchr(symbol, '@');
	return first == symbol ? NULL : first;
}

static bool matches_version(const struct name_pattern *pattern, const char *symbol,
			    const char *mark, const char *version)
{
	char *whole;
	bool matches;

	if (asprintf(&whole, "%s%s%s", symbol, mark, version) < 0)
		return false;
	matches = name_pattern__matches(pattern, whole);
	free(whole);
	return matches;
}

bool name_pattern__matches_version(const struct name_pattern *pattern, const char *symbol,
				   const char *version)
{
	return strchr(pattern->text, '@') && (matches_version(pattern, symbol, "@", version) ||
					      matches_version(pattern, symbol, "@@", version));
}

bool name_pattern__matches(const struct name_pattern *pattern, const char *symbol)
{
	const char *suffix;

	if (pattern->needle[0] && !strstr(symbol, pattern->needle))
		return false;
	if (matches_text(pattern, symbol))
		return true;
	suffix = strstr(symbol, "@@");
	if (suffix && strchr(pattern->text, '@')) {
		char *plain = strndup(symbol, suffix - symbol);
		bool matches = plain && matches_version(pattern, plain, "@", suffix + 2);

		free(plain);
		if (matches)
			return true;
	}
	suffix = version_suffix(symbol);
	if (suffix) {
		char *plain = strndup(symbol, suffix - symbol);
		bool matches = plain && name_pattern__matches(pattern, plain);

		free(plain);
		if (matches)
			return true;
	}
	if (needs_escapes(symbol))
		return matches_and_free(pattern, name__printable(symbol));
	if (matches_and_free(pattern, name__demangle(symbol, true)))
		return true;
	/* Without parameters a part would have the same name as its function. */
	return !strstr(symbol, ".part.") && !strstr(symbol, ".cold") &&
	       matches_and_free(pattern, name__demangle(symbol, false));
}
