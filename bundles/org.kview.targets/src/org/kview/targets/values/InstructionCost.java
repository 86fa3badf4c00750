// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

/** What the kernel does with the instruction under a probe. */
public enum InstructionCost {
    UNKNOWN,
    /** Done by the kernel itself: the cheap kind. */
    EMULATED,
    /** Run by itself out of line, with a second trap: several times dearer. */
    SINGLE_STEPPED
}
