/* SPDX-License-Identifier: GPL-2.0 */
/* Modules that tests load beside kview: those in modules/, and one of the kernel's own. */
#ifndef KVIEW_TEST_MODULES_H
#define KVIEW_TEST_MODULES_H

#include <stdbool.h>

bool module_file_exists(const char *name);
/* 0 or a negative errno. */
int module_file_load(const char *name);
/* 0 or an errno, at once: EAGAIN: somebody holds it. */
int module_delete(const char *name);
/* The same, once who holds it has let go: who was killed does so by and by. */
int module_delete_patiently(const char *name);

/* The live patch: reads of /dev/zero are served, and the tests' counted, by modules/kview_livepatch.c. */
#define LIVEPATCH	"kview_livepatch"

/* Until all tasks run what they are to. */
void livepatch_settle(void);
long livepatch_calls(void);
/* Disables it, if it is there, and unloads it once nobody runs it. */
void livepatch_unload(void);

#endif /* KVIEW_TEST_MODULES_H */
