// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

/** What the kernel does with the instruction under a probe. */
public enum InstructionCost {
    UNKNOWN,
    /** The kernel emulates the instruction: cheap. */
    EMULATED,
    /** A copy of the instruction runs out of line, which takes a second trap: several times as expensive. */
    SINGLE_STEPPED
}
