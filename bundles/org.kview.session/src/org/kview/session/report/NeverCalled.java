// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.List;
import java.util.Optional;

import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProbePoint;

/** Functions that were probed and never called: one line for all of them, and why that may be. */
final class NeverCalled {
    private NeverCalled() {
    }

    static boolean is(FunctionLatency latency) {
        return latency.calls() == 0 && latency.knownFates().unmatched() == 0;
    }

    /** Empty if each was called. */
    static Optional<String> line(LatencySnapshot snapshot) {
        List<FunctionLatency> never = snapshot.functions().stream().filter(NeverCalled::is).toList();
        if (never.isEmpty()) {
            return Optional.empty();
        }
        boolean calls = never.stream().anyMatch(f -> !f.function().countsHits());
        boolean hits = never.stream().anyMatch(f -> f.function().countsHits());
        String which = never.size() == 1 ? never.getFirst().function().name() + " was"
                : LatencyFormat.count(never.size()) + (!hits ? " functions were" : calls ? " points were" : " " + Hits.word(never) + "s were");
        return Optional.of(which + " never " + (!hits ? "called" : calls ? "called or hit" : "hit") + (never.size() == 1 ? "" : ": " + RecordingNotes.names(never))
                + ". " + reason(snapshot, never));
    }

    private static String reason(LatencySnapshot snapshot, List<FunctionLatency> never) {
        List<String> files = never.stream().filter(f -> f.knownFates().neverLoaded())
                .map(f -> f.function().point().binary()).distinct().toList();
        if (!files.isEmpty()) {
            return String.join(" and ", files) + (files.size() == 1 ? " was" : " were")
                    + " not loaded when the recording began, and not seen to be loaded until its end.";
        }
        if (never.stream().anyMatch(f -> f.knownFates().probesOff().isPresent())) {
            return (never.size() == 1 ? "Its probes" : "Probes of some") + " came off before the end.";
        }
        if (snapshot.functions().stream().anyMatch(f -> f.knownFates().lost().exec() > 0)) {
            return "The process executed another program, whose functions are others.";
        }
        List<String> inlined = never.stream().filter(f -> f.function().inlinedPlaces() > 0)
                .map(f -> f.function().name()).toList();
        if (!inlined.isEmpty()) {
            return String.join(", ", inlined) + (inlined.size() == 1 ? " is" : " are")
                    + " part of callers, where the compiler inlined " + (inlined.size() == 1 ? "it" : "them")
                    + ": calls there are not seen.";
        }
        boolean one = never.size() == 1;
        if (snapshot.info().group().isPresent()) {
            return "No process of the " + (snapshot.info().cgroup().isPresent() ? "cgroup" : "tree") + " came to " + (one ? "it" : "them") + " in this time; calls that began before the recording are not"
                    + " counted, nor are those of a function where the compiler inlined it.";
        }
        long children = snapshot.overhead().process().children().forked();
        if (children > 0) {
            return "The process forked " + (children == 1 ? "a child, which is" : LatencyFormat.count(children) + " children, which are")
                    + " not measured and may have called " + (one ? "it" : "them") + ": record one of them. " + (one ? "It" : "They")
                    + " may also have begun before the recording, or had no reason to run in this time.";
        }
        if (never.stream().allMatch(f -> f.function().countsHits())) {
            return "The process did not come to " + (one ? "it" : "them") + " in this time; what other processes, its children among"
                    + " them, or threads of the kernel do is not counted.";
        }
        if (never.stream().allMatch(f -> f.function().countsHits() || f.function().point() instanceof ProbePoint.SystemCall
                || f.function().point() instanceof ProbePoint.KernelFunction)) {
            return "The process had no reason for " + (one ? "it" : "them") + " in this time, or a child process made "
                    + (one ? "it" : "them") + ", which is not measured.";
        }
        return (one ? "It may have begun" : "They may have begun") + " before the recording and still run, as main and"
                + " event loops do, or had no reason to run in this time; " + (one ? "its" : "their") + " calls may also be"
                + " inlined, be made by a child process, which is not measured, or go to another function of that name.";
    }
}
