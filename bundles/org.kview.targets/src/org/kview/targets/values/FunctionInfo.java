// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;

import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction.ExitKind;

/**
 * A function or another point that can be probed, or the reason why it can't.
 *
 * @param name          demangled where the symbol is mangled
 * @param point         what it is
 * @param language      what it was written in
 * @param probeable     whether probes on it are safe
 * @param reason        one sentence where they are not; otherwise empty
 * @param ends          how the ends of its calls would be seen
 * @param price         what probes on it would cost
 * @param aliases       other names of the same address, as in the symbol table
 * @param inlinedPlaces in how many places the compiler inlined it into its callers, so that calls there are not
 *                      seen; 0 also if not known
 */
public record FunctionInfo(String name, ProbePoint point, Language language, boolean probeable, String reason, Ends ends,
        Price price, List<String> aliases, int inlinedPlaces) {

    public FunctionInfo {
        aliases = List.copyOf(aliases);
    }

    /** A system call by its name. Only when a recording starts does the agent say whether the host knows that name. */
    public static FunctionInfo of(ProbePoint.SystemCall call) {
        return ofKernel(call.label(), call);
    }

    /** A function of the kernel by its name, likewise. */
    public static FunctionInfo of(ProbePoint.KernelFunction function) {
        return ofKernel(function.label(), function);
    }

    /** A tracepoint of the kernel, likewise. */
    public static FunctionInfo of(ProbePoint.Tracepoint tracepoint) {
        return ofKernel(tracepoint.label(), tracepoint);
    }

    /** A tracepoint that can't be measured. */
    public static FunctionInfo refused(ProbePoint.Tracepoint tracepoint, String reason) {
        return byName(tracepoint.label(), tracepoint, false, reason);
    }

    /** A static probe of a file. */
    public static FunctionInfo of(ProbePoint.Usdt probe) {
        return byName(probe.label(), probe, true, "");
    }

    /** A static probe that can't be measured. */
    public static FunctionInfo refused(ProbePoint.Usdt probe, String reason) {
        return byName(probe.label(), probe, false, reason);
    }

    private static FunctionInfo ofKernel(String label, ProbePoint point) {
        return byName(label, point, true, "");
    }

    private static FunctionInfo byName(String label, ProbePoint point, boolean probeable, String reason) {
        return new FunctionInfo(label, point, Language.UNKNOWN, probeable, reason, Ends.UNKNOWN, Price.UNKNOWN, List.of(), 0);
    }

    /**
     * How the ends of a function's calls would be seen.
     *
     * @param sites    for {@link ExitKind#RETURN_SITES}: how many there are
     * @param goesOnTo where a call may go on after it left the function by a jump, so that its end is not seen
     */
    public record Ends(ExitKind kind, int sites, List<String> goesOnTo) {
        public static final Ends UNKNOWN = new Ends(ExitKind.UNKNOWN, 0, List.of());

        public Ends {
            goesOnTo = List.copyOf(goesOnTo);
        }
    }

    /**
     * What probes on a function would cost.
     *
     * @param entry what the kernel does with the entry's instruction
     * @param exit  and with those of the exits
     * @param nanos added to each call, probes and accounting together; 0 if not known
     */
    public record Price(InstructionCost entry, InstructionCost exit, long nanos) {
        public static final Price UNKNOWN = new Price(InstructionCost.UNKNOWN, InstructionCost.UNKNOWN, 0);
    }

    /** The language that a function was written in, as far as its symbol tells. */
    public enum Language {
        UNKNOWN, C, CPP, RUST, GO
    }
}
