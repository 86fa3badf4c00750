/* SPDX-License-Identifier: GPL-2.0 */
/* Where no function of the kernel is measured, nothing meets the eBPF programs in what they call. */
#ifndef KVIEW_UNGUARDED_BPF_H
#define KVIEW_UNGUARDED_BPF_H

static __always_inline void program__begins(void)
{
}

static __always_inline void program__ends(void)
{
}

#endif
