// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import org.kview.model.ComparedWays;
import org.kview.model.ComparedWays.Kind;
import org.kview.model.CostToOthers;
import org.kview.model.LatencyFormat;
import org.kview.statistics.Shift;
import org.kview.targets.Agent;
import org.kview.targets.WayTrial;
import org.kview.targets.values.OthersRounds;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.WayRounds;

/**
 * Compares what the ways to record cost on a host. Each is tried in turn, and all of them again some times, so that what changes on
 * the host meanwhile is in all of them alike.
 */
public final class WaysComparison {
    /** So many turns; one for each of the quarters by which ranges are judged, and one more. */
    private static final int TURNS = 5;

    /** Hears how far it is, and says whether it goes on. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Before each trial.
         *
         * @param kind  what is tried next
         * @param done  how many were
         * @param trials how many there will be, at most
         * @return false: enough, nothing more is tried
         */
        boolean goesOn(Kind kind, int done, int trials);
    }

    private WaysComparison() {
    }

    /**
     * Takes half a second for each trial. Nothing of it stays on the host.
     *
     * @param kinds what to compare; those of which all processes pay are theirs to choose who asked a person before
     * @return empty if it was ended early
     */
    public static Optional<ComparedWays> run(Agent agent, String target, Set<Kind> kinds, Progress progress)
            throws TargetException, InterruptedException {
        Map<Kind, List<WayRounds>> found = new EnumMap<>(Kind.class);
        List<Kind> left = new ArrayList<>(kinds.stream().sorted().toList());
        Instant begun = Instant.now();
        int done = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            for (Kind kind : List.copyOf(left)) {
                if (!progress.goesOn(kind, done, done + (TURNS - turn) * left.size() - left.indexOf(kind))) {
                    return Optional.empty();
                }
                WayRounds rounds = WayTrial.of(agent, kind);
                found.computeIfAbsent(kind, _ -> new ArrayList<>()).add(rounds);
                done++;
                if (!rounds.missing().isEmpty()) {
                    left.remove(kind);
                }
            }
        }
        return Optional.of(new ComparedWays(target, agent.host().kernel(), agent.host().machine(), agent.host().cpus(), begun,
                found.entrySet().stream().map(way -> judged(way.getKey(), way.getValue())).toList()));
    }

    static ComparedWays.Way judged(Kind kind, List<WayRounds> trials) {
        String missing = trials.getLast().missing();
        if (missing.isEmpty()) {
            missing = unseen(trials);
        }
        if (!missing.isEmpty()) {
            return new ComparedWays.Way(kind, missing, List.of(), sum(trials, WayRounds::attachedNanos), "");
        }
        List<ComparedWays.Cost> costs = new ArrayList<>();
        for (int i = 0; i < trials.stream().mapToInt(trial -> trial.traced().size()).min().orElse(0); i++) {
            costs.add(cost(trials, i));
        }
        return new ComparedWays.Way(kind, "", costs, sum(trials, WayRounds::attachedNanos), note(trials));
    }

    /** Who does not see what it is to record would seem to cost nothing. */
    private static String unseen(List<WayRounds> trials) {
        boolean isUnseen = trials.stream().anyMatch(trial -> trial.callsSeen() < trial.callsMade() && trial.notTold() == 0);
        return !isUnseen ? "" : "It saw " + LatencyFormat.count(sum(trials, WayRounds::callsSeen)) + " of "
                + LatencyFormat.count(sum(trials, WayRounds::callsMade)) + " calls, so what it costs is not known: measure again.";
    }

    private static String note(List<WayRounds> trials) {
        long told = sum(trials, WayRounds::told);
        long notTold = sum(trials, WayRounds::notTold);
        return told == 0 ? "" : LatencyFormat.count(told) + " beginnings and ends of system calls of all processes were told in "
                + LatencyFormat.nanos(sum(trials, WayRounds::attachedNanos)) + ", to find those of one."
                + (notTold == 0 ? "" : " For " + LatencyFormat.count(notTold) + " more there was no room: it costs more than is told here.");
    }

    private static long sum(List<WayRounds> trials, ToLongFunction<WayRounds> count) {
        return trials.stream().mapToLong(count).sum();
    }

    private static ComparedWays.Cost cost(List<WayRounds> trials, int operation) {
        List<OthersRounds.Operation> traced = trials.stream().map(trial -> trial.traced().get(operation)).toList();
        List<OthersRounds.Operation> others = trials.stream().map(trial -> trial.others().get(operation)).toList();
        return new ComparedWays.Cost(traced.getFirst().name(), all(others, OthersRounds.Operation::during).length,
                Shift.median(all(others, OthersRounds.Operation::before)), more(traced), more(others));
    }

    private static Optional<CostToOthers.Interval> more(List<OthersRounds.Operation> rounds) {
        return Shift.between(all(rounds, OthersRounds.Operation::before), all(rounds, OthersRounds.Operation::during),
                all(rounds, OthersRounds.Operation::after)).map(shift -> new CostToOthers.Interval(shift.by(), shift.low(), shift.high()));
    }

    /** In the order of time. */
    private static double[] all(List<OthersRounds.Operation> rounds, Function<OthersRounds.Operation, List<Double>> phase) {
        return rounds.stream().flatMap(one -> phase.apply(one).stream()).mapToDouble(Double::doubleValue).toArray();
    }
}
