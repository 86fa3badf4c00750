// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.List;
import java.util.stream.Collectors;

import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.statistics.Statistic;

/**
 * Two recordings side by side, or two groups of them.
 *
 * @param recordingsA   of the first side, in the order given; at least one
 * @param recordingsB   of the second side
 * @param a             what the first side measured; of several recordings their sum
 * @param b             what the second side measured
 * @param functions     those that both have; what changed most comes first
 * @param onlyA         those that only the first has, and values that functions were called with in it alone
 * @param onlyB         those that only the second has
 * @param amongOthersB  values that the first has figures of, and the second counts among other values
 * @param amongOthersA  the other way round
 * @param warnings      what makes them hard to compare, one sentence each, the most serious first
 * @param minimumEffect as a part of the smaller figure: smaller differences are not reported
 */
public record Comparison(List<Recorded> recordingsA, List<Recorded> recordingsB, LatencySnapshot a, LatencySnapshot b,
        List<FunctionComparison> functions, List<FunctionLatency> onlyA, List<FunctionLatency> onlyB,
        List<FunctionLatency> amongOthersB, List<FunctionLatency> amongOthersA,
        List<String> warnings, double minimumEffect) {
    public Comparison {
        recordingsA = List.copyOf(recordingsA);
        recordingsB = List.copyOf(recordingsB);
        functions = List.copyOf(functions);
        onlyA = List.copyOf(onlyA);
        onlyB = List.copyOf(onlyB);
        amongOthersB = List.copyOf(amongOthersB);
        amongOthersA = List.copyOf(amongOthersA);
        warnings = List.copyOf(warnings);
    }

    /**
     * One recording.
     *
     * @param name    for people
     * @param figures what it measured
     */
    public record Recorded(String name, LatencySnapshot figures) {
    }

    /** Whether one recording is compared with one other: what differs may be only the recordings. */
    public boolean isPair() {
        return recordingsA.size() == 1;
    }

    /**
     * Whether a difference may be called a change of the program: there are enough recordings on each side, each of them
     * adds information, and the two sides were recorded in turns.
     */
    public boolean isEnough() {
        return hasManyRecordings() && isIndependent() && isInTurns();
    }

    /** Whether there are {@link Comparer#ENOUGH_RECORDINGS} or more on either side. */
    public boolean hasManyRecordings() {
        return Math.min(recordingsA.size(), recordingsB.size()) >= Comparer.ENOUGH_RECORDINGS;
    }

    /**
     * Whether each recording adds information to its side: none is given twice, and each is of a different process, unless
     * both sides are of the same processes.
     */
    public boolean isIndependent() {
        return new RecordedProcesses(recordingsA, recordingsB).areIndependent();
    }

    /** Whether what changed on the host meanwhile was much the same for both sides, as in the order A B A B A B. */
    public boolean isInTurns() {
        return new RecordingOrder(recordingsA, recordingsB).isInTurns();
    }

    /** What the first side is called, for people. */
    public String nameA() {
        return name(recordingsA);
    }

    /** What the second side is called, for people. */
    public String nameB() {
        return name(recordingsB);
    }

    private static String name(List<Recorded> recordings) {
        return recordings.stream().map(Recorded::name).collect(Collectors.joining(", "));
    }

    /** How many functions and values there are on either side. */
    public int all() {
        return functions.size() + onlyA.size() + onlyB.size() + amongOthersB.size() + amongOthersA.size();
    }

    /** How many functions differ. */
    public long changed() {
        return functions.stream().filter(FunctionComparison::differs).count();
    }

    /** Of how many functions it could be judged whether calls are slower. */
    public long judged() {
        return functions.stream().filter(f -> Statistic.PER_CALL.stream().map(f.wall()::get)
                .anyMatch(c -> c.interval().isPresent())).count();
    }

    /** How many functions have calls that are slower in B by a share of A's time, in any of the figures compared. */
    public long slowerBy(double share) {
        return functions.stream().filter(f -> Statistic.TIMES.stream().map(f.wall()::get)
                .anyMatch(c -> c.isBeyondNoise() && c.difference() > 0 && c.relative() >= share)).count();
    }
}
