// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.model.CostToOthers;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProbePoint;
import org.kview.model.SessionInfo;

/** What a recording cost processes that were not recorded, in words. */
public final class OthersText {
    public static final List<String> HEADINGS = List.of("What another process did", "Before", "During", "After", "Cost to it");
    private static final int NAMES_SHOWN = 5;
    private static final double MICROSECOND = 1000;

    private final LatencySnapshot snapshot;
    private final Optional<CostToOthers> cost;

    /** @param snapshot of one host */
    public OthersText(LatencySnapshot snapshot) {
        this.snapshot = snapshot;
        cost = snapshot.overhead().others();
    }

    /** One of each heading's texts for each operation; empty where nothing was measured. */
    public List<List<String>> lines() {
        return operations().map(operation -> List.of(operation.name(), time(operation.before()), time(operation.during()),
                time(operation.after()), more(operation))).toList();
    }

    private Stream<CostToOthers.Operation> operations() {
        return cost.stream().flatMap(measured -> measured.operations().stream());
    }

    /** How it was measured, and what that does not tell; a sentence each. */
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        if (cost.isEmpty()) {
            return nothing().stream().toList();
        }
        if (lines().isEmpty()) {
            return List.of(cost.get().note().isEmpty() ? "What the recording cost other processes was not measured." : cost.get().note());
        }
        sentences.add(how(cost.get()));
        if (!cost.get().note().isEmpty()) {
            sentences.add(cost.get().note());
        }
        String drifts = operations().flatMap(operation -> operation.drift().filter(CostToOthers.Interval::isToldApart)
                .map(drift -> operation.name() + " took " + nanos(Math.abs(drift.nanos())) + (drift.nanos() > 0 ? " more" : " less")).stream())
                .collect(Collectors.joining("; "));
        if (!drifts.isEmpty()) {
            sentences.add("After the recording it was not as before, by which these ranges are wider: " + drifts + ".");
        }
        operations().filter(operation -> !operation.standsFor().isEmpty()).forEach(operation -> sentences.add(operation.name()
                + " stands for " + names(operation.standsFor()) + " as well: the same eBPF programs run at each system call."));
        List<String> untried = untried();
        if (!untried.isEmpty()) {
            sentences.add("What " + names(untried) + " cost other processes was not measured: nothing that is harmless is known to come"
                    + " there.");
        }
        return sentences;
    }

    private Optional<String> nothing() {
        if (snapshot.info().provenance().origin().isPresent()) {
            return Optional.empty(); // A trace that another tool recorded.
        }
        return Optional.of(snapshot.info().state() == SessionInfo.State.RECORDING
                ? "What a recording cost other processes is known when it has ended, if that was asked for (kview record --cost-to-others)."
                : "What the recording cost other processes was not measured; kview record --cost-to-others does that.");
    }

    /** All of it in sentences, with one for each operation. */
    List<String> all() {
        List<String> all = new ArrayList<>(sentences());
        lines().forEach(line -> all.add(line.get(0) + ": " + line.get(1) + " before, " + line.get(2) + " during, " + line.get(3)
                + " after: " + line.get(4) + "."));
        return all;
    }

    private static String how(CostToOthers cost) {
        CostToOthers.Operation first = cost.operations().getFirst();
        String use = switch (cost.cpuUse()) {
            case FORBIDDEN -> ", where the recorded process may not run";
            case UNUSED -> ", where the recorded process did not run as the recording began";
            case SHARED -> ", where the recorded process ran as well";
            case UNKNOWN -> "";
        };
        return "What the recording cost other processes was seen by one of the agent's own that was not recorded, on CPU " + cost.cpu() + use
                + ", in " + first.before().count() + " rounds before, " + first.during().count() + " during and " + first.after().count()
                + " after the recording. Each range is that of the differences between rounds, and wider by how far the medians of the"
                + " quarters of the time during the recording lie apart, or those before and after: it holds what these rounds show, and is"
                + " no probability. That took " + LatencyFormat.nanos(cost.cpuNanos()) + " of CPU time.";
    }

    /** Points of the kernel, which others pass as well, that no operation calls or stands for. */
    private List<String> untried() {
        Predicate<FunctionLatency> isTried = function -> operations().anyMatch(operation -> Stream.concat(operation.calls().stream(),
                operation.standsFor().stream()).anyMatch(function.function().name()::equals));
        return snapshot.functions().stream().filter(OthersText::isPassedByOthers).filter(isTried.negate()).map(f -> f.function().name()).toList();
    }

    private static boolean isPassedByOthers(FunctionLatency latency) {
        return switch (latency.function().point()) {
            case ProbePoint.KernelFunction _, ProbePoint.SystemCall _, ProbePoint.Tracepoint _ -> true;
            case ProbePoint.UserFunction _, ProbePoint.Usdt _, ProbePoint.Unknown _ -> false;
        };
    }

    private static String names(List<String> names) {
        String shown = String.join(", ", names.stream().limit(NAMES_SHOWN).toList());
        return names.size() <= NAMES_SHOWN ? shown : shown + " and " + (names.size() - NAMES_SHOWN) + " more";
    }

    private static String time(CostToOthers.Rounds rounds) {
        return rounds.count() == 0 ? "–" : nanos(rounds.medianNanos());
    }

    private static String more(CostToOthers.Operation operation) {
        if (operation.more().isEmpty()) {
            return "not known, the rounds were too few";
        }
        CostToOthers.Interval more = operation.more().get();
        String range = " (" + signed(more.lowNanos()) + " to " + signed(more.highNanos()) + ")";
        return (!more.isToldApart() ? "not told apart from nothing"
                : more.nanos() > 0 ? signed(more.nanos()) : "less meanwhile, for another reason than the recording") + range;
    }

    private static String signed(double nanos) {
        return (nanos < 0 ? "−" : "+") + nanos(Math.abs(nanos));
    }

    /** With tenths of ns: what is added may be less than one. */
    private static String nanos(double nanos) {
        return nanos < MICROSECOND ? LatencyFormat.fixed(nanos, 1) + " ns" : LatencyFormat.nanos(nanos);
    }
}
