// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.model.FunctionLatency;
import org.kview.model.Overhead;
import org.kview.model.SafeText;
import org.kview.model.SessionInfo;
import org.kview.session.report.SessionText;

/** What makes recordings hard to compare. */
final class ComparisonWarnings {
    /** If the sides' shares of calls without a time differ by so much, different mixtures of calls are compared. */
    private static final double NOTABLE_SHARE = 0.05;
    /** If one side is recorded so many times as long as the other, it matters. */
    private static final double OTHER_LENGTH = 2;
    /** One or two calls without a time may just be cut off by the end of a recording. */
    private static final long NOTABLE_CALLS = 3;

    private static final int MOST_RATES = 20;

    private final List<String> sentences = new ArrayList<>();
    private final List<Comparison.Recorded> a;
    private final List<Comparison.Recorded> b;

    /**
     * @param otherFunctions whether one side probed functions that the other one did not
     * @param moved          how the calls of most functions changed alike, as a logarithm
     */
    ComparisonWarnings(List<Comparison.Recorded> a, List<Comparison.Recorded> b, FunctionMatcher matches,
            boolean otherFunctions, OptionalDouble moved) {
        this.a = a;
        this.b = b;
        same();
        processes();
        order();
        moved.stream().filter(m -> Math.abs(m) >= Math.log1p(Comparer.MINIMUM_EFFECT)).forEach(this::together);
        each(recording -> new SessionText(recording.figures()).warnings());
        calibration();
        differ("Recorded on different hosts", SessionInfo::host, "");
        differ("Recorded on different kernels", SessionInfo::kernel, "");
        differ("Other processes were filtered out differently", SessionInfo::filter,
                " What a filter costs at each context switch is part of the figures.");
        differ("The command lines differ", SessionInfo::command, "");
        lengths();
        exits(matches);
        untimed(matches);
        conditions(matches);
        if (otherFunctions) {
            sentences.add("Different functions were probed. A probe makes the functions that call the probed one"
                    + " slower; what that takes is subtracted as it was measured.");
        }
        hits();
    }

    /** They are told, as whoever recorded them wants to see them. */
    private void hits() {
        List<HitRates> rates = HitRates.of(a, b);
        if (!rates.isEmpty()) {
            sentences.add("Whether tracepoints were hit more often is not judged. Hits a second, A → B: "
                    + rates.stream().limit(MOST_RATES).map(HitRates::text).collect(Collectors.joining("; "))
                    + (rates.size() > MOST_RATES ? "; and " + (rates.size() - MOST_RATES) + " more." : "."));
        }
    }

    List<String> sentences() {
        return sentences;
    }

    private Stream<SessionInfo> infos() {
        return Stream.concat(a.stream(), b.stream()).map(r -> r.figures().info());
    }

    /** A recording that is given twice would be taken for two that happen to agree. */
    private void same() {
        if (infos().distinct().count() < a.size() + b.size()) {
            sentences.add(a.size() == 1 ? "Both are the same recording."
                    : "One recording is given more than once: it tells nothing new the second time.");
        }
    }

    private void processes() {
        RecordedProcesses processes = new RecordedProcesses(a, b);
        if (!processes.areRecordedOnce()) {
            return;
        }
        processes("A", a.size(), processes.fewer(true));
        processes("B", b.size(), processes.fewer(false));
    }

    private void processes(String side, int recordings, int processes) {
        if (processes > 0) {
            sentences.add(side + ": " + recordings + " recordings of " + (processes == 1 ? "one process" : processes + " processes")
                    + ", which can't show how processes of the same program differ. Let each be of a process of its own:"
                    + " kview record --repeat N … -- CMD starts one each time.");
        }
    }

    /** A host that got slower meanwhile would look like a program that did. */
    private void order() {
        RecordingOrder order = new RecordingOrder(a, b);
        if (a.size() > 1 && b.size() > 1 && !order.isInTurns()) {
            String all = order.isOneAfterTheOther() ? "All" : "Most";
            sentences.add(all + " of " + (order.isAFirst() ? "A" : "B") + " was recorded before " + all.toLowerCase(Locale.ROOT)
                    + " of " + (order.isAFirst() ? "B" : "A") + ": what changed on the host between the two looks like a change"
                    + " of the program. Record in turns, A B A B A B.");
        }
    }

    /** Only reported: nothing is subtracted for it. */
    private void together(double moved) {
        sentences.add(String.format(Locale.ROOT, "Calls of most functions take %.0f %% %s in B than in A, all alike. That may be"
                + " the host, its clock or its load, as well as the program.", 100 * Math.abs(Math.expm1(moved)),
                moved > 0 ? "longer" : "less"));
    }

    private void each(Function<Comparison.Recorded, List<String>> warnings) {
        a.forEach(r -> warnings.apply(r).forEach(w -> sentences.add(letter("A", a, r) + ": " + w)));
        b.forEach(r -> warnings.apply(r).forEach(w -> sentences.add(letter("B", b, r) + ": " + w)));
    }

    /** A recording's side, and which of several. */
    private static String letter(String side, List<Comparison.Recorded> all, Comparison.Recorded one) {
        return all.size() == 1 ? side : side + " (" + one.name() + ")";
    }

    private void calibration() {
        each(recording -> {
            Overhead overhead = recording.figures().overhead();
            return !overhead.note().isEmpty() ? List.of(overhead.note())
                    : containsProbes(recording) ? List.of("not calibrated; the figures contain the probes' own time.")
                            : List.of();
        });
        if (Stream.concat(a.stream(), b.stream()).map(r -> r.figures().overhead().waitsNote()).distinct().count() > 1) {
            each(recording -> Stream.of(recording.figures().overhead().waitsNote()).filter(note -> !note.isEmpty()).toList());
        }
        if (Stream.concat(a.stream(), b.stream()).map(ComparisonWarnings::containsProbes).distinct().count() > 1) {
            sentences.add("Some contain the probes' own time and others do not: differences of some "
                    + "microseconds are not real.");
        }
    }

    /** A note means that the probes' own time was subtracted, but is uncertain. */
    private static boolean containsProbes(Comparison.Recorded recording) {
        Overhead overhead = recording.figures().overhead();
        return !overhead.calibrated() && overhead.note().isEmpty();
    }

    private void lengths() {
        double inA = meanSeconds(a);
        double inB = meanSeconds(b);
        if (Math.max(inA, inB) > 0 && Math.max(inA, inB) >= OTHER_LENGTH * Math.min(inA, inB)) {
            sentences.add(String.format(Locale.ROOT, "Recorded for %.3g s in A and for %.3g s in B: the shorter ones cut off more"
                    + " of the calls that take long, and see less of what comes and goes.", inA, inB));
        }
    }

    private static double meanSeconds(List<Comparison.Recorded> side) {
        return side.stream().mapToDouble(r -> r.figures().info().duration().toNanos() / 1e9).average().orElse(0);
    }

    private void exits(FunctionMatcher matches) {
        List<FunctionPair> functions = matches.pairs().stream().filter(pair -> !pair.a().function().isOfValue()).toList();
        long differing = functions.stream()
                .filter(pair -> pair.a().function().exit() != pair.b().function().exit()).count();
        if (differing > 0) {
            sentences.add("The end of a call was seen by another kind of probe in A than in B in " + differing + " of "
                    + functions.size() + " functions.");
        }
    }

    /** Then it may be the choice of calls that differs, and not what they take. */
    private void conditions(FunctionMatcher matches) {
        List<FunctionPair> differing = matches.pairs().stream()
                .filter(pair -> !pair.a().function().condition().equals(pair.b().function().condition())).toList();
        differing.stream().findFirst().ifPresent(pair -> sentences.add("Other calls of " + pair.name()
                + (differing.size() == 1 ? "" : " (and of " + (differing.size() - 1) + " more)") + " were measured in A, "
                + condition(pair.a()) + ", than in B, " + condition(pair.b()) + ": their times are not those of the same calls."));
    }

    private static String condition(FunctionLatency latency) {
        return latency.function().isConditional() ? "where " + SafeText.line(latency.function().condition()) : "all";
    }

    /** The longest calls may be among those without a time, as calls that hang or throw have none. */
    private void untimed(FunctionMatcher matches) {
        List<FunctionPair> differing = matches.pairs().stream()
                .filter(pair -> Math.abs(untimedShare(pair.a()) - untimedShare(pair.b())) >= NOTABLE_SHARE
                        && Math.max(untimed(pair.a()), untimed(pair.b())) >= NOTABLE_CALLS)
                .sorted(Comparator.comparingDouble((FunctionPair pair) -> -Math.abs(untimedShare(pair.a())
                        - untimedShare(pair.b()))).thenComparing(FunctionPair::name)).toList();
        differing.stream().findFirst().ifPresent(pair -> sentences.add(String.format(Locale.ROOT, "Of the calls of %s%s,"
                + " %.0f %% of A and %.0f %% of B were abandoned or not finished and have no time: what is compared are the"
                + " others.", pair.name(), differing.size() == 1 ? "" : " (and of " + (differing.size() - 1) + " more)",
                100 * untimedShare(pair.a()), 100 * untimedShare(pair.b()))));
    }

    private static double untimedShare(FunctionLatency latency) {
        return (double) untimed(latency) / Math.max(1, latency.calls());
    }

    private static long untimed(FunctionLatency latency) {
        return latency.abandoned() + latency.unfinished();
    }

    private void differ(String what, Function<SessionInfo, String> value, String consequence) {
        List<String> values = infos().map(value).distinct().toList();
        if (values.size() > 1) {
            sentences.add(what + ": " + String.join(" and ", values) + "." + consequence);
        }
    }
}
