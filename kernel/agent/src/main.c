// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "session.h"

static const char usage[] =
	"usage: kview-agent             serves the workbench on standard input and output\n"
	"       kview-agent --version\n";

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--version")) {
		puts(KVIEW_VERSION);
		return 0;
	}
	if (argc > 1 || isatty(STDIN_FILENO)) {
		fputs(usage, stderr);
		return 2;
	}
	return session__run(STDIN_FILENO, STDOUT_FILENO);
}
