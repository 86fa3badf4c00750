/* SPDX-License-Identifier: GPL-2.0 */
/* The places of kernel text that the kernel itself changes while it runs, and for whom. */
#ifndef KVIEW_TEST_PATCHED_H
#define KVIEW_TEST_PATCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct patched_site;

/* The site in whose instruction @addr is; NULL: in none's. */
const struct patched_site *patched_at(unsigned long addr);
/* What the kernel changes it for: "static key NAME" or "static call NAME". */
void patched_for(const struct patched_site *site, char *text, size_t size);
/*
 * Has the kernel changed it for its own clock?  On a host that gives a guest little time the kernel
 * takes its TSC for unstable, at any moment, once.  @after is what is at @addr, one of the site's: the
 * site has to be as the kernel's static key now wants it.
 */
bool patched_for_clock(const struct patched_site *site, unsigned long addr, const uint8_t *after);

#endif /* KVIEW_TEST_PATCHED_H */
