// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;

/** What has to be known of functions wherever their single calls, or sums over these, stand without a verdict. */
public final class MarkedFunctions {
    /** What is said of more functions would hide the rest. */
    private static final int MOST_SENTENCES = 10;

    private MarkedFunctions() {
    }

    /**
     * Why times may contain some of the probes' own, if so, and a sentence for each function that has
     * {@linkplain FunctionNotes notes}, those that took most time first. If these are more than ten, the last sentence says how
     * many more there are.
     *
     * @param figures   of the session, or of one of its hosts
     * @param functions those of it of which calls are shown
     */
    public static List<String> sentences(LatencySnapshot figures, List<FunctionLatency> functions) {
        List<String> sentences = new ArrayList<>();
        List<FunctionLatency> timed = timed(functions);
        if (!timed.isEmpty()) {
            new SessionText(figures).uncalibrated().ifPresent(sentences::add);
        }
        List<String> ofFunctions = timed.stream().map(latency -> named(latency, String.join("; ", FunctionNotes.ofCalls(latency))))
                .flatMap(Optional::stream).map(sentence -> sentence + ".").toList();
        sentences.addAll(ofFunctions.subList(0, Math.min(MOST_SENTENCES, ofFunctions.size())));
        int more = ofFunctions.size() - MOST_SENTENCES;
        if (more > 0) {
            sentences.add(LatencyFormat.count(more) + (more == 1 ? " function more has notes" : " functions more have notes")
                    + ", which the report tells.");
        }
        return sentences;
    }

    /** The sentences of all functions of a session; if it has several hosts, each begins with its host's target. */
    public static List<String> sentences(LatencySnapshot session) {
        return sentences(session, _ -> true);
    }

    /** Likewise those of some functions: what is in doubt on one host may not be in the sum over all. */
    public static List<String> sentences(LatencySnapshot session, Predicate<FunctionLatency> shown) {
        return byHost(session, figures -> sentences(figures, figures.functions().stream().filter(shown).toList()));
    }

    private static List<String> byHost(LatencySnapshot session, Function<LatencySnapshot, List<String>> of) {
        return session.hosts().isEmpty() ? of.apply(session)
                : session.hosts().stream().flatMap(host -> of.apply(host).stream()
                        .map(text -> host.info().target() + ": " + text)).toList();
    }

    /**
     * The same of some functions in few words, without a full stop: "not calibrated", "process: until it goes on to poll · ± 12 %". Where there is no
     * short form, as of calls that were lost, it is the note itself.
     */
    public static List<String> marks(LatencySnapshot figures, List<FunctionLatency> functions) {
        List<FunctionLatency> timed = timed(functions);
        List<String> marks = new ArrayList<>();
        if (!timed.isEmpty() && new SessionText(figures).uncalibrated().isPresent()) {
            marks.add("not calibrated");
        }
        timed.forEach(latency -> named(latency, FunctionNotes.marks(latency).orElseGet(() -> String.join("; ",
                FunctionNotes.ofCalls(latency)))).ifPresent(marks::add));
        return marks;
    }

    /** Likewise of some functions of a session; if it has several hosts, each begins with its host's target. */
    public static List<String> marks(LatencySnapshot session, Predicate<FunctionLatency> shown) {
        return byHost(session, figures -> marks(figures, figures.functions().stream().filter(shown).toList()));
    }

    private static Optional<String> named(FunctionLatency latency, String notes) {
        return notes.isEmpty() ? Optional.empty() : Optional.of(latency.function().name() + ": " + notes);
    }

    /** Those that took most time first. */
    private static List<FunctionLatency> timed(List<FunctionLatency> functions) {
        return functions.stream().filter(latency -> !latency.wall().isEmpty())
                .sorted(Comparator.comparingLong((FunctionLatency f) -> f.wall().totalNanos()).reversed()).toList();
    }
}
