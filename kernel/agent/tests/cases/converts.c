// SPDX-License-Identifier: GPL-2.0
/*
 * Plain C that imports nothing which could load code, and gets code all the same: the C library
 * loads a character set's module by itself, or env executes this program again, with a library that
 * is loaded before it.  Both throw through f_callback() at once.
 *
 * usage: converts FOLDER load    FOLDER has converting.so and a gconv-modules that names it
 *        converts FOLDER exec
 *        converts FOLDER again
 *        converts-forking FOLDER fork    it is loaded by children, as soon as each is forked
 *
 * Ends, but for the last one, once FOLDER has no file "stay".
 */
#include <iconv.h>
#include <sys/wait.h>

#include "truth.h"

typedef int (*plain_fn)(int);

/* Its unwind tables are there, as in any code of Debian's, so an exception passes through it. */
PROBED int f_callback(plain_fn callee, int x)
{
	int result = callee(x);

	END();
	return result + 1;
}

static int plain(int x) { return x; }

#ifdef FORKS
static int convert_in_children(int nr)
{
	int failed = 0, status;

	for (int i = 0; i < nr; i++) {
		pid_t child = fork();

		if (!child) {
			iconv_open("UTF-8", "KVIEWTEST");
			_exit(0);
		}
		waitpid(child, &status, 0);
		failed += status != 0;
	}
	printf("children that failed: %d of %d\n", failed, nr);
	return failed;
}
#endif

int main(int argc, char **argv)
{
	char preload[4096], stay[4096];
	int sum = 0;

	for (int i = 0; i < 100; i++)
		sum += f_callback(plain, i);
	printf("plain %d\n", sum);
	fflush(stdout);
	if (!strcmp(argv[2], "load")) {
		setenv("GCONV_PATH", argv[1], 1);
		iconv_open("UTF-8", "KVIEWTEST");
#ifdef FORKS
	} else if (!strcmp(argv[2], "fork")) {
		setenv("GCONV_PATH", argv[1], 1);
		return convert_in_children(40);
#endif
	} else if (!strcmp(argv[2], "exec")) {
		snprintf(preload, sizeof(preload), "LD_PRELOAD=%s/converting.so", argv[1]);
		execlp("env", "env", preload, argv[0], argv[1], "again", NULL);
		return 1;
	}
	snprintf(stay, sizeof(stay), "%s/stay", argv[1]);
	while (!access(stay, F_OK))
		usleep(1000);
	return 4;
}
