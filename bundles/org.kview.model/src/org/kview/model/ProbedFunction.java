/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.model;

import java.util.List;

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
 * @param goesOnTo       where a call may go on after it left by a jump, and its end is not seen: the figure
 *                       ends at the jump
 * @param forced         whether its return address is replaced although nothing proves it harmless
 * @param inlinedPlaces  where the compiler made it part of its callers, so that calls of it there are not seen; 0 also
 *                       if not known
 */
public record ProbedFunction(int id, String name, String symbol, String binary, long address, long fileOffset,
        long sizeBytes, ExitKind exit, long innerCostNanos, long callCostNanos, List<String> goesOnTo, boolean forced,
        int inlinedPlaces) {

    public ProbedFunction {
        goesOnTo = List.copyOf(goesOnTo);
        if (inlinedPlaces < 0) {
            throw new IllegalArgumentException("A number of places that is negative: " + inlinedPlaces);
        }
    }

    /** One of which it is not known to be part of its callers anywhere. */
    public ProbedFunction(int id, String name, String symbol, String binary, long address, long fileOffset,
            long sizeBytes, ExitKind exit, long innerCostNanos, long callCostNanos, List<String> goesOnTo, boolean forced) {
        this(id, name, symbol, binary, address, fileOffset, sizeBytes, exit, innerCostNanos, callCostNanos, goesOnTo,
                forced, 0);
    }

    /** One whose ends are all seen. */
    public ProbedFunction(int id, String name, String symbol, String binary, long address, long fileOffset,
            long sizeBytes, ExitKind exit, long innerCostNanos, long callCostNanos) {
        this(id, name, symbol, binary, address, fileOffset, sizeBytes, exit, innerCostNanos, callCostNanos, List.of(),
                false);
    }

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
