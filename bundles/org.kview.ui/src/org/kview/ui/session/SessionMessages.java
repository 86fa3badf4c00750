// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.SessionInfo;
import org.kview.session.report.RecordingNotes;
import org.kview.ui.text.Counts;

/** Sentences about what is missing in a session's figures. */
public final class SessionMessages {
    private SessionMessages() {
    }

    /** One sentence each, the gravest first; empty if everything is there. */
    public static List<String> of(SessionState state) {
        List<String> sentences = new ArrayList<>();
        if (state instanceof SessionState.Recording recording) {
            link(recording).ifPresent(sentences::add);
        }
        state.snapshot().map(SessionMessages::of).ifPresent(sentences::addAll);
        return sentences;
    }

    /** Old figures must not look like those of now. */
    private static Optional<String> link(SessionState.Recording recording) {
        String host = recording.figures().info().target();
        return switch (recording.link()) {
            case CONNECTED, RESUMED -> Optional.empty();
            case STALLED -> Optional.of("Nothing came from " + host + " for a while: the figures may be old.");
            case LOST, RECONNECTING -> Optional.of("The link to " + host + " is lost: the figures are as old as that."
                    + " The recording goes on there, and they follow when the link is back.");
            case GONE -> Optional.of("The link to " + host + " is lost and does not come back: what came before is kept.");
        };
    }

    private static List<String> of(LatencySnapshot figures) {
        List<String> sentences = new ArrayList<>(figures.problems());
        SessionInfo info = figures.info();
        if (info.state() == SessionInfo.State.FAILED) {
            sentences.add("The recording broke off" + (info.stateNote().isBlank() ? "." : ": " + info.stateNote())
                    + " What was measured up to then is shown.");
        }
        sentences.addAll(RecordingNotes.of(figures));
        addLosses(sentences, figures.losses());
        long withoutBuckets = figures.functions().stream().filter(SessionMessages::lacksBuckets).count();
        if (withoutBuckets > 0) {
            sentences.add("Percentiles of " + Counts.format(withoutBuckets, "function are", "functions are")
                    + " missing because its histogram can't be read; counts, means and maxima are exact.");
        }
        if (!figures.overhead().calibrated() && figures.functions().stream().anyMatch(f -> f.calls() > 0)) {
            sentences.add(!figures.overhead().note().isEmpty() ? figures.overhead().note()
                    : "The probes' own time was not measured on this host, so it is still in the figures: "
                    + "short calls read some 1 µs too long.");
        }
        return sentences;
    }

    private static void addLosses(List<String> sentences, Losses losses) {
        add(sentences, losses.eventsDropped(), "event was", "events were",
                "lost: the trace lacks them, while the table and the distributions are complete.");
        add(sentences, losses.missedReturns(), "return was", "returns were",
                "not reported by the kernel: those calls are counted and have no times.");
        add(sentences, losses.depthOverflows(), "call was", "calls were",
                "nested too deep to be followed: they are counted and have no times.");
        add(sentences, losses.untrackedThreads(), "call was", "calls were",
                "made by threads for which the kernel had no memory left: they are not in the figures.");
    }

    private static void add(List<String> sentences, long count, String singular, String plural, String rest) {
        if (count > 0) {
            sentences.add(Counts.format(count, singular, plural) + " " + rest);
        }
    }

    private static boolean lacksBuckets(FunctionLatency function) {
        return function.distributions().values().stream().anyMatch(values -> !values.hasBuckets());
    }
}
