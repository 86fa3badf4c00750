// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A function that is or was probed, or another probe point whose calls are measured in the same way.
 *
 * @param id            its number within the recording, from 0
 * @param name          demangled where the symbol is mangled
 * @param point         what it is
 * @param mechanism     how it is measured
 * @param measured      the metrics that are measured; any other one is not known, and not 0
 * @param ends          how the ends of its calls are seen
 * @param cost          what its probes cost
 * @param inlinedPlaces in how many places the compiler inlined it into its callers, so that calls there are not
 *                      seen; 0 also if not known
 * @param waits         whether it is told for what its calls wait
 * @param condition     which of its calls are measured, as a {@link CallCondition} has it; empty: all
 * @param by            by which value its figures are split as well, as a {@link CallSplit} has it; empty: by none
 * @param quantities    what is counted within its calls beside time
 */
public record ProbedFunction(int id, String name, ProbePoint point, Mechanism mechanism, Set<Metric> measured, Ends ends,
        Cost cost, int inlinedPlaces, Waits.Told waits, String condition, String by, List<Quantity> quantities) {
    private static final String BEFORE_VALUE = " · ";
    /** What is measured of a tracepoint. */
    public static final Set<Metric> OF_HITS = Set.of(Metric.BETWEEN);
    /** The {@link #id} of what is none of the recording's, but the calls of one that have a value. */
    public static final int NO_FUNCTION = -1;
    /** The metrics that are measured for a function's calls. */
    public static final Set<Metric> ALL_METRICS = Collections.unmodifiableSet(EnumSet.copyOf(Metric.OF_CALLS));

    public ProbedFunction {
        Objects.requireNonNull(point);
        Objects.requireNonNull(mechanism);
        Objects.requireNonNull(ends);
        Objects.requireNonNull(cost);
        Objects.requireNonNull(waits);
        Objects.requireNonNull(condition);
        Objects.requireNonNull(by);
        quantities = List.copyOf(quantities);
        measured = measured.size() == ALL_METRICS.size() ? ALL_METRICS : Set.copyOf(measured);
        if (inlinedPlaces < 0) {
            throw new IllegalArgumentException("A number of places that is negative: " + inlinedPlaces);
        }
    }

    /** One of which time alone is measured. */
    public ProbedFunction(int id, String name, ProbePoint point, Mechanism mechanism, Set<Metric> measured, Ends ends, Cost cost,
            int inlinedPlaces, Waits.Told waits, String condition, String by) {
        this(id, name, point, mechanism, measured, ends, cost, inlinedPlaces, waits, condition, by, List.of());
    }

    /** One whose figures are not split. */
    public ProbedFunction(int id, String name, ProbePoint point, Mechanism mechanism, Set<Metric> measured, Ends ends, Cost cost,
            int inlinedPlaces, Waits.Told waits, String condition) {
        this(id, name, point, mechanism, measured, ends, cost, inlinedPlaces, waits, condition, "");
    }

    /** One of which all calls are measured. */
    public ProbedFunction(int id, String name, ProbePoint point, Mechanism mechanism, Set<Metric> measured, Ends ends, Cost cost,
            int inlinedPlaces, Waits.Told waits) {
        this(id, name, point, mechanism, measured, ends, cost, inlinedPlaces, waits, "");
    }

    /** One of which it is not known whether its waits are told. */
    public ProbedFunction(int id, String name, ProbePoint point, Mechanism mechanism, Set<Metric> measured, Ends ends, Cost cost,
            int inlinedPlaces) {
        this(id, name, point, mechanism, measured, ends, cost, inlinedPlaces, Waits.Told.UNKNOWN);
    }

    /** One of which no more is known. */
    public static ProbedFunction of(int id, String name, ProbePoint point, Mechanism mechanism, Set<Metric> measured) {
        return new ProbedFunction(id, name, point, mechanism, measured, Ends.UNKNOWN, Cost.UNKNOWN, 0);
    }

    /** How the end of a call is seen. */
    public ExitKind exit() {
        return ends.kind();
    }

    /** Whether what is counted are hits of a tracepoint, which take no time, and not calls. */
    public boolean countsHits() {
        return measured.contains(Metric.BETWEEN);
    }

    /** Whether only those of its calls are measured that a condition is true of. */
    public boolean isConditional() {
        return !condition.isEmpty();
    }

    /** Whether there are figures by a value. */
    public boolean isSplit() {
        return !by.isEmpty();
    }

    /** Whether it stands for those calls of a function that have a value. */
    public boolean isOfValue() {
        return id == NO_FUNCTION;
    }

    /** Whether it is the same in figures of another moment. */
    boolean isLike(ProbedFunction other) {
        return id == other.id && (!isOfValue() || name.equals(other.name) && point.equals(other.point));
    }

    /** Whether that is of those of its calls that have a value, which none of them may have any more. */
    boolean isWholeOf(ProbedFunction value) {
        return value.isOfValue() && isSplit() && value.point.equals(point) && value.name.startsWith(name + BEFORE_VALUE + SafeText.line(by));
    }

    /** As what has those of its calls that have a value: no function of the recording. */
    ProbedFunction of(CallValue value) {
        return new ProbedFunction(NO_FUNCTION, name + BEFORE_VALUE + value.of(by), point, mechanism, measured, ends, cost, inlinedPlaces, waits);
    }

    /** Whether its condition is about what calls return, so that of those whose end is not seen nobody knows whether it is true. */
    public boolean isConditionalOnResult() {
        try {
            return isConditional() && CallCondition.parse(condition).isDecidedAtEnd();
        } catch (SyntaxException e) {
            // Of a newer version: it may be.
            return true;
        }
    }

    /** Whether all metrics of its calls are measured. */
    public boolean measuresAll() {
        return measured.equals(ALL_METRICS);
    }

    /**
     * What the probes of one call cost.
     *
     * @param innerNanos what they add to each measured interval, already subtracted from it; 0 if not calibrated
     * @param callNanos  how much longer each call takes the process than without probes; 0 if not known
     */
    public record Cost(long innerNanos, long callNanos) {
        public static final Cost UNKNOWN = new Cost(0, 0);
    }

    /**
     * How the ends of a function's calls are seen.
     *
     * @param goesOnTo where a call may go on after it left by a jump, so that its end is not seen: the measured time ends
     *                 at the jump
     * @param forced   whether its return address is replaced although nothing proves that this is harmless
     */
    public record Ends(ExitKind kind, List<String> goesOnTo, boolean forced) {
        public static final Ends UNKNOWN = of(ExitKind.UNKNOWN);

        public Ends {
            Objects.requireNonNull(kind);
            goesOnTo = List.copyOf(goesOnTo);
        }

        /** Where each call's end is seen, by what is known to be harmless. */
        public static Ends of(ExitKind kind) {
            return new Ends(kind, List.of(), false);
        }
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
