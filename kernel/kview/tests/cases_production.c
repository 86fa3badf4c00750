// SPDX-License-Identifier: GPL-2.0
/* The module as users build it, without what its tests need. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "harness.h"
#include "modules.h"

#define NAME "kview-production"

/* It has one parameter, and none of the functions by which tests have it fail or wait. */
static void check_file(void)
{
	static const char *const of_tests[] = {
		"parm=fail_nth", "parm=unsafe_", "parm=pretend_missing", "kview_should_fail", "kview_test_hold",
		"kview_test_delay", "kview_copies_scribble",
	};
	int fd = open("/guest/modules/" NAME ".ko", O_RDONLY | O_CLOEXEC);
	struct stat st;
	size_t i;
	void *m;

	CHECK(fd >= 0 && !fstat(fd, &st));
	m = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	CHECK(m != MAP_FAILED && memmem(m, st.st_size, "parm=huge_min:", 14));
	for (i = 0; i < ARRAY_SIZE(of_tests); i++)
		if (memmem(m, st.st_size, of_tests[i], strlen(of_tests[i])))
			fail(__FILE__, __LINE__, "%s is in it", of_tests[i]);
	munmap(m, st.st_size);
	close(fd);
}

static void production(void)
{
	struct kview_attachment *att;
	struct kview_view *v;
	struct kview_set *s;
	struct dirent *e;
	struct worker a;
	DIR *d;

	check_file();
	CHECK_OK(module_file_load(NAME));
	d = opendir("/sys/module/kview/parameters");
	CHECK(d);
	while ((e = readdir(d)))
		if (e->d_name[0] != '.' && strcmp(e->d_name, "huge_min"))
			fail(__FILE__, __LINE__, "it has a parameter %s", e->d_name);
	closedir(d);
	a = worker_start();
	v = view();
	s = functions(v, "vfs_read", NULL);
	att = attach(v, a.pid, 0);
	worker_do(&a, OP_READ, 1000);
	CHECK_EQ(hits(s, 0), 1000);
	kview_attachment__free(att);
	worker_do(&a, OP_READ, 1000);
	CHECK_EQ(hits(s, 0), 1000);
	worker_quit(&a);
	check_nothing_left();
	module_unload();
	figure("one parameter, none for tests; 1000 of 1000");
}

const struct test_case cases_production[] = {
	{ "production", production, ONCE, LOAD_NOT, "the module without what its tests need" },
	{ 0 },
};
