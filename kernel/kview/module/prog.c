// SPDX-License-Identifier: GPL-2.0
/*
 * eBPF programs of a set: an array under RCU, replaced as a whole.
 */
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/version.h>

#include "kview.h"
#include "event.h"
#include "handler.h"
#include "memory.h"
#include "prog.h"
#include "set.h"

static bool kview_prog_sleepable(const struct bpf_prog *prog)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
	return prog->sleepable;
#else
	return prog->aux->sleepable;
#endif
}

/* What the eBPF program may read of its context; see kview_raw_args(). */
static u32 kview_ctx_size(const struct kview_set *set, const struct bpf_prog *prog)
{
	if (prog->type == BPF_PROG_TYPE_TRACEPOINT)
		return kview_events_context(set);
	if (prog->type == BPF_PROG_TYPE_KPROBE)
		return sizeof(struct pt_regs);
	return (set->kind == KVIEW_KIND_TRACEPOINT ? 12 : 6) * sizeof(u64);
}

static bool kview_prog_fits(const struct kview_set *set, const struct bpf_prog *prog)
{
	/*
	 * An eBPF program made for kprobe_multi or a session finds its link behind the
	 * run context, which is not there.  bpf_override_return() needs a kprobe.
	 */
	if (prog->expected_attach_type || prog->kprobe_override || kview_prog_sleepable(prog))
		return false;
	return prog->aux->max_ctx_offset <= kview_ctx_size(set, prog);
}

static struct bpf_prog *kview_prog_by_fd(const struct kview_set *set, int fd)
{
	struct bpf_prog *prog = ERR_PTR(-EINVAL);

	if (set->kind == KVIEW_KIND_EVENT)
		return bpf_prog_get_type_dev(fd, BPF_PROG_TYPE_TRACEPOINT, false);
	if (set->kind != KVIEW_KIND_TRACEPOINT)
		prog = bpf_prog_get_type_dev(fd, BPF_PROG_TYPE_KPROBE, false);
	if (PTR_ERR_OR_ZERO(prog) == -EINVAL && set->kind != KVIEW_KIND_RETURN)
		prog = bpf_prog_get_type_dev(fd, BPF_PROG_TYPE_RAW_TRACEPOINT, false);
	return prog;
}

/* Is one of the sets at the place about to be switched? */
static bool kview_site_gated(const struct kview_site *site)
{
	while (site && !site->set->gated)
		site = rcu_dereference_protected(site->next, true);
	return site;
}

/**
 * kview_site_simplify() - decide what the hook calls at a place
 * @site: first of those at the place in its view
 *
 * Under kview_lock.  While one of the sets is being switched it is kview_run_gated().  With one
 * set, one kprobe program that does not call bpf_get_func_ip(), and one cookie it is the program's
 * own code; else kview_run_all(), which is right at any time, also while this changes.  JITed code
 * does not look at its second argument, so that one pointer is all there is to change.
 */
void kview_site_simplify(struct kview_site *site)
{
	const struct kview_progs *progs = rcu_dereference_protected(site->set->progs, true);
	bpf_func_t run = kview_site_gated(site) ? kview_run_gated : kview_run_all;

	if (run == kview_run_all && !rcu_access_pointer(site->next) && !site->set->callback &&
	    site->set->kind == KVIEW_KIND_ENTRY && progs && progs->n == 1) {
		const struct kview_prog *p = &progs->p[0];

		if (p->prog->type == BPF_PROG_TYPE_KPROBE && p->prog->jited && !p->cookies &&
		    !p->prog->call_get_func_ip) {
			WRITE_ONCE(site->ctx.bpf_cookie, p->cookie);
			run = p->prog->bpf_func;
		}
	}
	/* after its cookie */
	smp_store_release(&site->run, run);
}

/* The caller waits for RCU before it lets an eBPF program go that is not among them. */
static void kview_progs_replace(struct kview_set *set, struct kview_progs *progs)
{
	struct kview_progs *old = rcu_dereference_protected(set->progs, true);
	u32 i;

	rcu_assign_pointer(set->progs, progs);
	for (i = 0; i < set->nhooked && set->linked; i++)
		kview_site_simplify(&set->hooked[i]);
	if (old)
		kvfree_rcu(old, rcu);
}

u64 *kview_cookies_from_user(u64 user, u32 n)
{
	u64 *cookies = kview_calloc(n, sizeof(*cookies));

	if (!cookies)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(cookies, u64_to_user_ptr(user), n * sizeof(*cookies))) {
		kvfree(cookies);
		return ERR_PTR(-EFAULT);
	}
	return cookies;
}

/* Under kview_lock.  On success @cookies, if there are any, are the set's. */
int kview_prog_add(struct kview_set *set, const struct kview_prog_add *arg, u64 *cookies)
{
	struct kview_progs *old = rcu_dereference_protected(set->progs, true), *new;
	u32 i, n = old ? old->n : 0;
	struct bpf_prog *prog;
	int ret;

	if (arg->flags)
		return -EINVAL;
	if (n == KVIEW_PROGS_MAX)
		return -E2BIG;
	prog = kview_prog_by_fd(set, arg->prog_fd);
	if (IS_ERR(prog))
		return PTR_ERR(prog);
	ret = -EINVAL;
	if (!kview_prog_fits(set, prog))
		goto put;
	ret = -EEXIST;
	for (i = 0; i < n; i++)
		if (old->p[i].prog == prog)
			goto put;
	ret = -ENOMEM;
	new = kview_calloc(1, struct_size(new, p, n + 1));
	if (!new)
		goto put;
	if (old)
		memcpy(new->p, old->p, n * sizeof(new->p[0]));
	new->p[n] = (struct kview_prog){ prog, arg->cookie, cookies };
	new->n = n + 1;
	kview_progs_replace(set, new);
	return 0;
put:
	bpf_prog_put(prog);
	return ret;
}

/* An eBPF program that was taken out, after a grace period. */
void kview_prog_release(struct kview_prog *gone)
{
	kvfree(gone->cookies);
	bpf_prog_put(gone->prog);
}

/* Under kview_lock.  @gone: for kview_prog_release(). */
int kview_prog_del(struct kview_set *set, int fd, struct kview_prog *gone)
{
	struct kview_progs *old = rcu_dereference_protected(set->progs, true), *new = NULL;
	struct bpf_prog *prog;
	u32 i, n = old ? old->n : 0;

	prog = kview_prog_by_fd(set, fd);
	if (IS_ERR(prog))
		return PTR_ERR(prog) == -EINVAL ? -ENOENT : PTR_ERR(prog);
	bpf_prog_put(prog);	/* the set holds it, if it is there */
	for (i = 0; i < n && old->p[i].prog != prog; i++)
		;
	if (i == n)
		return -ENOENT;
	*gone = old->p[i];
	if (n > 1) {
		new = kview_calloc(1, struct_size(new, p, n - 1));
		if (!new)
			return -ENOMEM;
		new->n = n - 1;
		memcpy(new->p, old->p, i * sizeof(new->p[0]));
		memcpy(new->p + i, old->p + i + 1, (n - 1 - i) * sizeof(new->p[0]));
	}
	kview_progs_replace(set, new);
	return 0;
}

/* No hook leads here any more. */
void kview_progs_free(struct kview_progs *progs)
{
	u32 i;

	if (!progs)
		return;
	for (i = 0; i < progs->n; i++) {
		bpf_prog_put(progs->p[i].prog);
		kvfree(progs->p[i].cookies);
	}
	kvfree(progs);
}
