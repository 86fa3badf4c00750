/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.model;

/**
 * A function that is or was probed.
 *
 * @param id             its number within the recording, from 0
 * @param name           demangled where the symbol is mangled
 * @param symbol         as in the symbol table
 * @param binary         path of the executable or library, as the process sees it
 * @param address        in the file's address space
 * @param fileOffset     of its entry
 * @param sizeBytes      of its code; 0 if not known
 * @param exit           how the end of a call is seen
 * @param innerCostNanos what the probes add to each measured interval, already subtracted from it;
 *                       0 if not calibrated
 * @param callCostNanos  what each call costs the process more than without probes; 0 if not known
 */
public record ProbedFunction(int id, String name, String symbol, String binary, long address, long fileOffset,
        long sizeBytes, ExitKind exit, long innerCostNanos, long callCostNanos) {

    /** How the end of a call is seen. */
    public enum ExitKind {
        /** Not known. */
        UNKNOWN,
        /** The return address is replaced. */
        URETPROBE,
        /** A probe stands on each return and tail-call jump. */
        RETURN_SITES
    }
}
