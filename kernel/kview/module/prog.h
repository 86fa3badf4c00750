/* SPDX-License-Identifier: GPL-2.0 */
/* eBPF programs of a set. */
#ifndef KVIEW_MODULE_PROG_H
#define KVIEW_MODULE_PROG_H

#include <linux/types.h>

struct bpf_prog;
struct kview_prog_add;
struct kview_set;
struct kview_site;

struct kview_prog {
	struct bpf_prog *prog;
	u64 cookie;
	u64 *cookies;
};

struct kview_progs {
	struct rcu_head rcu;
	u32 n;
	struct kview_prog p[];
};

u64 *kview_cookies_from_user(u64 user, u32 n);
int kview_prog_add(struct kview_set *set, const struct kview_prog_add *arg, u64 *cookies);
int kview_prog_del(struct kview_set *set, int fd, struct kview_prog *gone);
void kview_prog_release(struct kview_prog *gone);
void kview_progs_free(struct kview_progs *progs);
void kview_site_simplify(struct kview_site *site);

#endif
