/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel's uprobes do with an x86-64 instruction under a probe. */
#ifndef KVIEW_UPROBE_INSN_H
#define KVIEW_UPROBE_INSN_H

#include <Zydis/Zydis.h>

#include "lookup/functions.h"

/* FN_INSN_UNSPECIFIED: some kernel refuses to put a probe there. */
enum fn_insn_cost uprobe_insn__cost(const ZydisDecodedInstruction *insn);

#endif
