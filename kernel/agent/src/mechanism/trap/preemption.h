/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a thread that is to give up its CPU does so at once, or runs on until it next enters the
 * kernel, as lazy preemption has it (Linux 6.13, and patches for real time before).  In the second
 * case, waits that the thread's own code caused begin within a probe, see docs/waits-in-probes.md.
 */
#ifndef KVIEW_PREEMPTION_H
#define KVIEW_PREEMPTION_H

enum preemption { PREEMPTION_UNKNOWN, PREEMPTION_AT_ONCE, PREEMPTION_LAZY };

/* Each is NULL where it can't be read. */
struct preemption_facts {
	const char *release, *version;	/* uname -r and -v */
	const char *now;		/* sched/preempt of debugfs: what is in force in brackets */
	const char *config;		/* of the kernel's build */
	const char *command_line;	/* the kernel's */
};

enum preemption preemption__tell(const struct preemption_facts *facts);
/* Of this host; looked for once. */
enum preemption preemption__find(void);

#endif
