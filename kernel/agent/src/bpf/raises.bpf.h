/* SPDX-License-Identifier: GPL-2.0 */
/* Whether the program that a process executes gives it rights, or may not be read by it. */
#ifndef KVIEW_RAISES_BPF_H
#define KVIEW_RAISES_BPF_H

/* From linux/binfmts.h. */
#define BINPRM_FLAGS_ENFORCE_NONDUMP	1U

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct linux_binprm {
	unsigned int secureexec:1;
	unsigned int interp_flags;
};
#pragma clang attribute pop

static __always_inline bool bprm__raises(struct linux_binprm *bprm)
{
	return BPF_CORE_READ_BITFIELD_PROBED(bprm, secureexec) ||
	       BPF_CORE_READ(bprm, interp_flags) & BINPRM_FLAGS_ENFORCE_NONDUMP;
}

#endif
