// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "ctl.h"
#include "harness.h"

#define KVIEWCTL	"/guest/bin/kviewctl"

struct call call_start(const char *fmt, ...)
{
	struct call c = { .output = memfd_create("output", MFD_CLOEXEC) };
	char line[256], *argv[32] = { "kviewctl" };
	size_t n = 1;
	va_list ap;
	char *word;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	for (word = strtok(line, " "); word; word = strtok(NULL, " "))
		argv[n++] = word;
	CHECK(c.output >= 0);
	c.pid = fork();
	if (!c.pid) {
		dup2(c.output, 1);
		dup2(c.output, 2);
		execv(KVIEWCTL, argv);
		_exit(126);
	}
	return c;
}

void call_end(struct call *c)
{
	int status;
	ssize_t n;

	CHECK(waitpid(c->pid, &status, 0) == c->pid && WIFEXITED(status));
	c->code = WEXITSTATUS(status);
	n = pread(c->output, c->text, sizeof(c->text) - 1, 0);
	CHECK(n >= 0);
	c->text[n] = 0;
	close(c->output);
}

void check_call(const struct call *c, int code, const char *text)
{
	if (c->code != code || !strstr(c->text, text))
		fail(__FILE__, __LINE__, "exit code %d, not %d, or no '%s': %s", c->code, code,
		     text, c->text);
}

long long counted(const struct call *c, const char *name)
{
	const char *at = strstr(c->text, name);

	if (!at || (at[strlen(name)] != '\n'))
		fail(__FILE__, __LINE__, "no line for %s: %s", name, c->text);
	while (at > c->text && at[-1] != '\n')
		at--;
	return atoll(at);
}
