// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

import org.kview.model.CallFates;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProbePoint;

/** What reports say of tracepoints and static probes, whose hits take no time and so have no place among the times of calls. */
public final class Hits {
    private Hits() {
    }

    /** These, those that were hit most often first. */
    public static List<FunctionLatency> of(LatencySnapshot snapshot) {
        return snapshot.functions().stream().filter(f -> f.function().countsHits()).sorted(Comparator
                .comparingLong(FunctionLatency::calls).reversed().thenComparing(f -> f.function().id())).toList();
    }

    /** Whether there are any. */
    static boolean areIn(LatencySnapshot snapshot) {
        return snapshot.functions().stream().anyMatch(f -> f.function().countsHits());
    }

    /** Whether some are of the kernel's tracepoints. */
    static boolean areOfTracepoints(Stream<FunctionLatency> hits) {
        return hits.anyMatch(f -> f.function().countsHits() && !(f.function().point() instanceof ProbePoint.Usdt));
    }

    static boolean areOfStaticProbes(Stream<FunctionLatency> hits) {
        return hits.anyMatch(f -> f.function().point() instanceof ProbePoint.Usdt usdt && !usdt.isPair());
    }

    /** "tracepoint", "static probe", or a word for both. */
    static String word(List<FunctionLatency> hits) {
        return !areOfStaticProbes(hits.stream()) ? "tracepoint" : areOfTracepoints(hits.stream()) ? "point" : "static probe";
    }

    /** Such a word as a heading. */
    static String heading(List<FunctionLatency> hits) {
        String word = word(hits);
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    /** Whether there is nothing else. */
    static boolean areAllOf(LatencySnapshot snapshot) {
        return areIn(snapshot) && snapshot.functions().stream().allMatch(f -> f.function().countsHits());
    }

    /**
     * How many hits a second there were, up to when the probe came off if it did; empty if that is not known.
     *
     * @param recorded how long the recording went on
     */
    public static OptionalDouble perSecond(FunctionLatency latency, Duration recorded) {
        Optional<CallFates.ProbesOff> off = latency.knownFates().probesOff();
        Duration counted = off.isPresent() ? off.get().after().orElse(Duration.ZERO) : recorded;
        return counted.isPositive() ? OptionalDouble.of(latency.calls() / (counted.toNanos() / 1e9)) : OptionalDouble.empty();
    }

    /** "1,234", "12.3", "0.05"; "?" if it is not known. */
    public static String perSecondText(FunctionLatency latency, Duration recorded) {
        OptionalDouble rate = perSecond(latency, recorded);
        double hits = rate.orElse(0);
        return rate.isEmpty() ? Figures.UNKNOWN : hits == 0 ? "0" : hits >= 99.95 ? LatencyFormat.count(Math.round(hits))
                : String.format(Locale.ROOT, hits >= 9.995 ? "%.1f" : "%.2f", hits);
    }
}
