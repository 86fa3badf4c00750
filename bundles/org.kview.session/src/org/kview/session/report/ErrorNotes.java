// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.kview.model.FigureError;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;

/** By how much figures of a function may be wrong because of its probes, in words. */
final class ErrorNotes {
    /** If less than this share of what was measured was the probes' own, its error alone says enough. */
    private static final double NOTABLE_REMOVED = 0.005;

    private ErrorNotes() {
    }

    /**
     * In few words: "± 12 %, CPU p50 ± 40 %". Of several percentiles only the lowest is named, whose error is the largest.
     *
     * @param told whether it is said already that times are in doubt: then only figures that are much more so are named
     */
    static Optional<String> mark(FunctionLatency latency, boolean told) {
        Map<String, String> marks = new LinkedHashMap<>();
        errors(latency, told).forEach(error -> marks.putIfAbsent(error.metric().id() + error.percentile().isPresent(),
                (name(error) + " " + share(error.share())).strip()));
        return marks.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", marks.values()));
    }

    /** The same as a sentence: "times are known to ± 12 %, p50 of time on CPUs to ± 40 %: what the probes took, 30 % of what was measured, varied". */
    static Optional<String> note(FunctionLatency latency, boolean told) {
        List<FigureError> errors = errors(latency, told);
        if (errors.isEmpty()) {
            return Optional.empty();
        }
        // Percentiles of which the same is told stand together.
        Map<String, List<FigureError>> alike = new LinkedHashMap<>();
        errors.forEach(error -> alike.computeIfAbsent(error.metric().id() + error.percentile().isPresent() + share(error.share()),
                _ -> new ArrayList<>()).add(error));
        StringBuilder note = new StringBuilder();
        alike.values().forEach(same -> {
            String names = same.stream().map(ErrorNotes::inWords).collect(Collectors.joining(" and "));
            note.append(note.isEmpty() ? names.isEmpty() ? "times are known" : names + (same.size() == 1 ? " is known" : " are known")
                    : ", " + names).append(" to ").append(share(same.getFirst().share()));
        });
        long removedNanos = latency.knownFates().cost().removedNanos();
        double removed = removedNanos / ((double) latency.wall().totalNanos() + removedNanos);
        note.append(": what the probes took").append(removed < NOTABLE_REMOVED ? "" : ", " + LatencyFormat.percent(removed)
                + " of what was measured,").append(" varied");
        if (errors.stream().anyMatch(error -> error.percentile().isPresent())) {
            note.append(", by some ± ").append(LatencyFormat.nanos(FigureError.perCallNanos(latency))).append(" in a call");
        }
        return Optional.of(note.toString());
    }

    private static List<FigureError> errors(FunctionLatency latency, boolean told) {
        return FigureError.of(latency).stream()
                .filter(error -> !(told && error.metric() == Metric.WALL && error.percentile().isEmpty())).toList();
    }

    /** "", "p50", "CPU", "CPU p50". */
    private static String name(FigureError error) {
        String metric = error.metric() == Metric.WALL ? "" : "CPU";
        return error.percentile().isEmpty() ? metric : (metric + " p" + error.percentile().getAsInt()).strip();
    }

    /** "", "p50", "time on CPUs", "p50 of time on CPUs": within a sentence. */
    private static String inWords(FigureError error) {
        String name = name(error);
        return name.equals("CPU") ? "time on CPUs" : name.startsWith("CPU ") ? name.substring("CPU ".length()) + " of time on CPUs" : name;
    }

    /** No figure where it may be all of it. */
    static String share(double share) {
        return "± " + (share >= 1 ? "more than 100 %" : String.format(Locale.ROOT, "%.0f %%", share * 100));
    }
}
