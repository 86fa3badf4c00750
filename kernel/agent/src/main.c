// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/error.h"
#include "client/connection.h"
#include "permission/permission.h"

static const char usage[] =
	"usage: kview-agent             serves the workbench on standard input and output\n"
	"       kview-agent --version\n";

/* Started by a descriptor it would be shown as /proc/self/fd/9. */
static void take_own_name(char *path)
{
	if (!path || strncmp(path, "/proc/self/fd/", 14))
		return;
	strncpy(path, "kview-agent", strlen(path));
	prctl(PR_SET_NAME, "kview-agent");
}

int main(int argc, char **argv)
{
	struct error error = { 0 };

	if (argc == 2 && !strcmp(argv[1], "--version")) {
		puts(KVIEW_VERSION);
		return 0;
	}
	if (argc > 1 || isatty(STDIN_FILENO)) {
		fputs(usage, stderr);
		return 2;
	}
	take_own_name(argv[0]);
	if (permission__init(&error)) {
		log__line("%s", error.message);
		return 1;
	}
	return connection__run(STDIN_FILENO, STDOUT_FILENO);
}
