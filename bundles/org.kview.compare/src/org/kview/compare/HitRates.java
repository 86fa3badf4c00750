// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.model.FunctionLatency;
import org.kview.model.ProbedFunction;
import org.kview.session.report.Hits;

/**
 * How often a tracepoint was hit in the recordings of either side. Whether that differs by more than chance is not judged.
 *
 * @param name of the tracepoint
 * @param inA  what each recording of the first side measured; empty for one that does not have it
 * @param inB  of the second side
 */
public record HitRates(String name, List<Optional<Rate>> inA, List<Optional<Rate>> inB) {
    private static final String NONE = "–";

    /**
     * Of one recording.
     *
     * @param figures   what was measured
     * @param perSecond hits a second as a number, NaN if that is not known
     * @param text      the same for people
     */
    public record Rate(FunctionLatency figures, double perSecond, String text) {
        static Rate of(FunctionLatency figures, Comparison.Recorded recorded) {
            var duration = recorded.figures().info().duration();
            return new Rate(figures, Hits.perSecond(figures, duration).orElse(Double.NaN), Hits.perSecondText(figures, duration));
        }
    }

    public HitRates {
        inA = List.copyOf(inA);
        inB = List.copyOf(inB);
    }

    /** Those of all tracepoints of either side, by name. */
    public static List<HitRates> of(List<Comparison.Recorded> a, List<Comparison.Recorded> b) {
        List<HitRates> rates = new ArrayList<>();
        Stream.concat(a.stream(), b.stream()).flatMap(recorded -> recorded.figures().functions().stream())
                .map(FunctionLatency::function).filter(ProbedFunction::countsHits).map(FunctionMatcher::label).distinct()
                .sorted(Comparator.naturalOrder()).forEach(name -> rates.add(new HitRates(name, in(a, name), in(b, name))));
        return rates;
    }

    private static List<Optional<Rate>> in(List<Comparison.Recorded> recordings, String name) {
        return recordings.stream().map(recorded -> recorded.figures().functions().stream()
                .filter(f -> f.function().countsHits() && FunctionMatcher.label(f.function()).equals(name)).findFirst()
                .map(f -> Rate.of(f, recorded))).toList();
    }

    /** "tracepoint:sched:sched_switch 12.1, 12.4 → 13.0, 13.1": hits a second by recording. */
    public String text() {
        return name + " " + text(inA) + " → " + text(inB);
    }

    private static String text(List<Optional<Rate>> rates) {
        return rates.stream().map(rate -> rate.map(Rate::text).orElse(NONE)).collect(Collectors.joining(", "));
    }
}
