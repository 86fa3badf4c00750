/* SPDX-License-Identifier: GPL-2.0 */
/* The table of system calls by what they wait for, which the agent fills. */
#ifndef KVIEW_CAUSES_LAYOUT_H
#define KVIEW_CAUSES_LAYOUT_H

#define XP_SYSCALLS	512

/* In the table alone: the cause depends on the file that argument 1 names. */
#define XP_BY_FILE	0xff

#endif
