// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

int error__set(struct error *error, enum error_code code, const char *format, ...)
{
	va_list args;

	if (!error)
		return -1;
	error->code = code;
	va_start(args, format);
	vsnprintf(error->message, sizeof(error->message), format, args);
	va_end(args);
	return -1;
}

void error__free(struct error *error)
{
	for (char **name = error->suggestions; name && *name; name++)
		free(*name);
	free(error->suggestions);
	error->suggestions = NULL;
}

void log__line(const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	fprintf(stderr, "kview-agent: %s\n", line);
}
