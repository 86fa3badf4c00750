// SPDX-License-Identifier: GPL-2.0
/*
 * Functions of loadable modules.
 *
 * A view has no text of theirs: the tables that map it are shared with all that the kernel
 * maps and unmaps there meanwhile (README, section 9).  ftrace hooks them for everybody,
 * behind the filter.  A module is held as long as a set has a function of it: its text must
 * not go while ftrace's record of the hook, and the set's addresses, lead there.
 */
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include "modtext.h"
#include "symbols.h"

/* The module stays while preemption is off. */
static struct module *kview_module_of(unsigned long addr)
{
	struct module *mod;

	rcu_read_lock();
	mod = kview_sym.module_text_address(addr);
	rcu_read_unlock();
	/* what is run once is freed later */
	return mod && within_module_core(addr, mod) ? mod : NULL;
}

bool kview_is_module_text(unsigned long addr)
{
	bool ret;

	preempt_disable();
	ret = kview_module_of(addr);
	preempt_enable();
	return ret;
}

const char *kview_module_name(unsigned long addr)
{
	struct module *mod;

	preempt_disable();
	mod = kview_module_of(addr);
	preempt_enable();
	return mod ? mod->name : NULL;
}

/* One that is coming can fail to, and goes then, whoever holds it. */
struct module *kview_module_get(unsigned long addr)
{
	struct module *mod;

	preempt_disable();
	mod = kview_module_of(addr);
	if (mod && (mod == THIS_MODULE || mod->state != MODULE_STATE_LIVE || !try_module_get(mod)))
		mod = NULL;
	preempt_enable();
	return mod;
}

unsigned long kview_module_entry_ip(unsigned long addr, struct module **owner)
{
	struct module *mod = kview_module_get(addr);
	unsigned long ip = mod ? kview_sym.ftrace_location(addr) : 0;

	if (ip)
		*owner = mod;
	else
		module_put(mod);
	return ip;
}

void kview_owners_put(struct module **owner, u32 n)
{
	u32 i;

	for (i = 0; owner && i < n; i++)
		module_put(owner[i]);
	kvfree(owner);
}
