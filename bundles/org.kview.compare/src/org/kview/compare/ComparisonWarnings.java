/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.kview.model.LatencySnapshot;
import org.kview.model.Overhead;
import org.kview.model.SessionInfo;
import org.kview.session.report.SessionText;

/** What makes two recordings hard to compare. */
final class ComparisonWarnings {
    private final List<String> sentences = new ArrayList<>();
    private final LatencySnapshot a;
    private final LatencySnapshot b;

    ComparisonWarnings(LatencySnapshot a, LatencySnapshot b, FunctionMatcher matches) {
        this.a = a;
        this.b = b;
        if (a.info().equals(b.info())) {
            sentences.add("Both are the same recording.");
        }
        new SessionText(a).warnings().forEach(warning -> sentences.add("A: " + warning));
        new SessionText(b).warnings().forEach(warning -> sentences.add("B: " + warning));
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

    private void calibration() {
        calibration("A", a.overhead());
        calibration("B", b.overhead());
        if (containsProbes(a.overhead()) != containsProbes(b.overhead())) {
            sentences.add("One contains the probes' own time and the other does not: differences of some "
                    + "microseconds are not real.");
        }
    }

    private void calibration(String letter, Overhead overhead) {
        if (!overhead.note().isEmpty()) {
            sentences.add(letter + ": " + overhead.note());
        } else if (containsProbes(overhead)) {
            sentences.add(letter + " was not calibrated and contains the probes' own time.");
        }
    }

    /** Where there is a note it was subtracted, if roughly. */
    private static boolean containsProbes(Overhead overhead) {
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
        String inA = value.apply(a.info());
        String inB = value.apply(b.info());
        if (!inA.equals(inB)) {
            sentences.add(what + ": " + inA + " and " + inB + "." + consequence);
        }
    }
}
