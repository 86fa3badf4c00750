/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.kview.model.Overhead;
import org.kview.model.SessionInfo;
import org.kview.session.report.SessionText;

/** What makes recordings hard to compare. */
final class ComparisonWarnings {
    private final List<String> sentences = new ArrayList<>();
    private final List<Comparison.Recorded> a;
    private final List<Comparison.Recorded> b;

    ComparisonWarnings(List<Comparison.Recorded> a, List<Comparison.Recorded> b, FunctionMatcher matches) {
        this.a = a;
        this.b = b;
        same();
        processes();
        order();
        each(recording -> new SessionText(recording.figures()).warnings());
        calibration();
        differ("Recorded on different hosts", SessionInfo::host, "");
        differ("Recorded on different kernels", SessionInfo::kernel, "");
        differ("Other processes were filtered out differently", SessionInfo::filter,
                " What a filter costs at each context switch is part of the figures.");
        differ("The command lines differ", SessionInfo::command, "");
        exits(matches);
        if (!matches.onlyA().isEmpty() || !matches.onlyB().isEmpty()) {
            sentences.add("Different functions were probed. A probe makes the functions that call the probed one"
                    + " slower; what that takes is subtracted as it was measured.");
        }
    }

    List<String> sentences() {
        return sentences;
    }

    private Stream<SessionInfo> infos() {
        return Stream.concat(a.stream(), b.stream()).map(r -> r.figures().info());
    }

    /** One recording on both sides, or twice on one, would pass for another one that happens to be alike. */
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

    /** A host that got slower meanwhile would pass for a program that did. */
    private void order() {
        if (a.size() > 1 && b.size() > 1 && (before(a, b) || before(b, a))) {
            boolean aFirst = before(a, b);
            sentences.add("All of " + (aFirst ? "A" : "B") + " was recorded before all of " + (aFirst ? "B" : "A")
                    + ": what changed on the host between the two looks like a change of the program. Record in turns,"
                    + " A B A B A B.");
        }
    }

    private static boolean before(List<Comparison.Recorded> early, List<Comparison.Recorded> late) {
        return early.stream().map(r -> r.figures().info().start()).max(Comparator.naturalOrder()).orElseThrow()
                .isBefore(late.stream().map(r -> r.figures().info().start()).min(Comparator.naturalOrder()).orElseThrow());
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
        if (Stream.concat(a.stream(), b.stream()).map(ComparisonWarnings::containsProbes).distinct().count() > 1) {
            sentences.add("Some contain the probes' own time and others do not: differences of some "
                    + "microseconds are not real.");
        }
    }

    /** Where there is a note it was subtracted, if roughly. */
    private static boolean containsProbes(Comparison.Recorded recording) {
        Overhead overhead = recording.figures().overhead();
        return !overhead.calibrated() && overhead.note().isEmpty();
    }

    private void exits(FunctionMatcher matches) {
        long differing = matches.pairs().stream()
                .filter(pair -> pair.a().function().exit() != pair.b().function().exit()).count();
        if (differing > 0) {
            sentences.add("The end of a call was seen by another kind of probe in A than in B in " + differing + " of "
                    + matches.pairs().size() + " functions.");
        }
    }

    private void differ(String what, Function<SessionInfo, String> value, String consequence) {
        List<String> values = infos().map(value).distinct().toList();
        if (values.size() > 1) {
            sentences.add(what + ": " + String.join(" and ", values) + "." + consequence);
        }
    }
}
