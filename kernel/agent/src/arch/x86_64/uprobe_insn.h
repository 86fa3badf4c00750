/* SPDX-License-Identifier: GPL-2.0 */
/* How the kernel's uprobes execute an x86-64 instruction under a probe. */
#ifndef KVIEW_UPROBE_INSN_H
#define KVIEW_UPROBE_INSN_H

#include <Zydis/Zydis.h>

#include "lookup/functions.h"

/* FN_INSN_UNSPECIFIED: some kernel refuses a probe on it. */
enum fn_insn_cost uprobe_insn__cost(const ZydisDecodedInstruction *insn);

#endif
