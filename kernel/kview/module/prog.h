/* SPDX-License-Identifier: GPL-2.0 */
/* eBPF programs of a set. */
#ifndef KVIEW_MODULE_PROG_H
#define KVIEW_MODULE_PROG_H

#include <linux/types.h>

struct bpf_prog;
struct kview_prog_add;
struct kview_set;
struct kview_site;

/* One eBPF program of a set. */
struct kview_prog {
	struct bpf_prog *prog;		/* held */
	u64 cookie;			/* without @cookies */
	u64 *cookies;			/* one for each site, the program's; or NULL */
};

/* All eBPF programs of a set, never changed once hooks can find them: under RCU. */
struct kview_progs {
	struct rcu_head rcu;
	u32 n;
	struct kview_prog p[];
};

/*
 * @n cookies of current's at @user; the caller's, kvfree().  -ENOMEM, -EFAULT.  No lock held: takes
 * as long as the client likes.
 */
u64 *kview_cookies_from_user(u64 user, u32 n);

/*
 * Adds an eBPF program of current's by its fd, or takes one out.  Under kview_lock; they sleep.  On
 * success @cookies, if there are any, are the set's; on error they stay the caller's.  @gone is for
 * kview_prog_release(), after a grace period of RCU: until then hooks can run it.  On error
 * (-ENOENT: it is not in the set; -ENOMEM, also when taking one out; else as in uapi/kview.h) the
 * set is as it was.
 */
int kview_prog_add(struct kview_set *set, const struct kview_prog_add *arg, u64 *cookies);
int kview_prog_del(struct kview_set *set, int fd, struct kview_prog *gone);
void kview_prog_release(struct kview_prog *gone);

/* Lets go of all eBPF programs of a set that no hook leads to any more.  NULL is fine. */
void kview_progs_free(struct kview_progs *progs);

/*
 * Decides what the hook calls at a place, after the sets there or their eBPF programs have changed.
 * @site: the first one there; of another one it changes nothing that a hook sees.  Under
 * kview_lock; hooks may run meanwhile.
 */
void kview_site_simplify(struct kview_site *site);

#endif
