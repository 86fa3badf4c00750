/* SPDX-License-Identifier: GPL-2.0 */
/* Failures as values. */
#ifndef KVIEW_ERROR_H
#define KVIEW_ERROR_H

/* The same values as Error.Code of agent.proto. */
enum error_code {
	ERR_FAILED = 1, ERR_BAD_REQUEST, ERR_NO_SUCH_PROCESS, ERR_PROCESS_ENDED,
	ERR_NO_SUCH_BINARY, ERR_STRIPPED, ERR_NO_SUCH_FUNCTION, ERR_NOT_PROBEABLE,
	ERR_NO_PERMISSION, ERR_UNSUPPORTED, ERR_BUSY, ERR_TOO_MANY, ERR_NOTHING_TO_REJOIN,
};

/* One of error_code, and one sentence for the user. */
struct error {
	int code;
	char message[512];
	char **suggestions;	/* NULL-terminated, may be NULL */
};

/* Fills error, which may be NULL, and returns -1. */
int error__set(struct error *error, enum error_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Frees the suggestions; the struct may be filled again. */
void error__free(struct error *error);

/* Writes a line to standard error, with the program's name before it. */
void log__line(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
