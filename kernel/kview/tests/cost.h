/* SPDX-License-Identifier: GPL-2.0 */
/* What instructions take that somebody runs who is not traced. */
#ifndef KVIEW_TEST_COST_H
#define KVIEW_TEST_COST_H

struct worker;

/* Of a 1-byte read of /dev/zero. */
double cost_of_read(void);
/* Reports what others pay while system calls of one process are recorded; base: of a read before. */
void cost_recorded(struct worker *a, double base);

#endif /* KVIEW_TEST_COST_H */
