// SPDX-License-Identifier: EPL-2.0
package org.kview.session.pprof;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.kview.ctf.calls.TraceFindings;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.session.read.SessionReader.HostEvents;
import org.kview.session.report.MarkedFunctions;
import org.kview.session.report.SessionText;

/** What readers of a profile have to know: what is missing in it, and what its figures do not include. */
final class ProfileFindings {
    private final List<String> sentences = new ArrayList<>();

    ProfileFindings(LatencySnapshot figures) {
        sentences.addAll(new SessionText(figures).warnings());
    }

    /**
     * The calls of a host were read.
     *
     * @param where   what stands before each sentence
     * @param leftOut how many are in no sample, because it is not certain which calls enclose them
     */
    void read(String where, HostEvents host, TraceFindings trace, long leftOut) {
        // If the trace was known not to be whole before, the session's own sentences say why.
        if (host.whole()) {
            trace.damage().forEach(problem -> sentences.add(where + "The trace is damaged: " + problem + "."));
            if (trace.damages() > trace.damage().size()) {
                sentences.add(where + "The trace is damaged in " + LatencyFormat.count(trace.damages() - trace.damage().size())
                        + " places more.");
            }
        }
        long counted = host.figures().functions().stream().mapToLong(f -> f.wall().count()).sum();
        if (trace.calls() < counted) {
            sentences.add(where + LatencyFormat.count(counted - trace.calls()) + " of the " + LatencyFormat.count(counted)
                    + " calls that ended are not in the trace, so they are not in the profile; the report counts them.");
        }
        if (!host.whole() || trace.damages() > 0 || trace.lostEvents() > 0 || trace.lostPackets() > 0) {
            sentences.add(where + "As events are missing, which call encloses another one is not certain: "
                    + (host.whole() ? "from there on " : "") + "only calls that no other one encloses are in the profile, each with"
                    + " all of its time; " + LatencyFormat.count(leftOut) + " others are left out.");
        } else {
            count(where, leftOut, "call is left out: it did not end before the call around it, as with coroutines, so what is its own"
                    + " time is not certain.", "calls are left out: they did not end before the calls around them, as with"
                    + " coroutines, so what is their own time is not certain.");
        }
        if (trace.forgot()) {
            sentences.add(where + "The trace has more threads or more open calls than are kept in memory: what was known of some was"
                    + " given up, and calls whose place is not certain since then are left out.");
        }
        count(where, trace.withoutEnd(), "call began and has no end in the trace, so its time is not in the profile; calls within"
                + " it are.", "calls began and have no end in the trace, so their times are not in the profile; calls within"
                + " them are.");
        count(where, trace.unknownCauses(), "call has causes that this version does not know: its own do not add up to wall.",
                "calls have causes that this version does not know: their own do not add up to wall.");
    }

    /** What has to be known of the times of a host's functions that are in the profile. */
    void marked(String where, HostEvents host) {
        MarkedFunctions.sentences(host.figures(), host.figures().functions()).forEach(sentence -> sentences.add(where + sentence));
    }

    /** The profile was made. */
    void written(Stacks stacks, ProfileFile file) {
        count("", stacks.foldedCalls(), "call is told as part of its outermost function only: there are more different stacks than"
                + " are kept apart.", "calls are told as part of their outermost functions only: there are more different stacks"
                + " than are kept apart.");
        if (file.stacksBelowZero() > 0) {
            sentences.add("In " + LatencyFormat.count(file.stacksBelowZero()) + (file.stacksBelowZero() == 1 ? " stack" : " stacks")
                    + " the calls within took longer than the calls around them, as the probes' own time is taken off each and"
                    + " known only so well: times below 0 are told as 0, so the sums are larger by " + file.belowZero().entrySet()
                            .stream().map(each -> LatencyFormat.nanos(each.getValue()) + " of " + each.getKey().id())
                            .collect(Collectors.joining(", ")) + ".");
        }
    }

    private void count(String where, long count, String one, String many) {
        if (count > 0) {
            sentences.add(where + LatencyFormat.count(count) + " " + (count == 1 ? one : many));
        }
    }

    List<String> sentences() {
        return List.copyOf(sentences);
    }
}
