/* SPDX-License-Identifier: GPL-2.0 */
/* Running on the base's tables. */
#ifndef KVIEW_MODULE_ESCAPE_H
#define KVIEW_MODULE_ESCAPE_H

#include <linux/types.h>

bool kview_escape_begin(void);
void kview_escape_end(bool escaped);
bool kview_escape_keeps(unsigned long va, const void *src);
int kview_escape_init(void);
void kview_escape_exit(void);

/* Turns it off, to prove that tests see it. */
extern bool kview_unsafe_no_escape;

#endif
