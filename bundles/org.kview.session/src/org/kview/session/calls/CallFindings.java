// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.kview.ctf.calls.TraceFindings;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.SafeText;
import org.kview.session.read.SessionReader.HostEvents;
import org.kview.session.read.SessionReader.HostWithoutEvents;
import org.kview.session.report.MarkedFunctions;
import org.kview.session.report.SessionText;

/** What is missing among a session's calls, or not known about them: whoever adds them up has to know it. */
final class CallFindings {
    private final LatencySnapshot figures;
    private final List<String> found = new ArrayList<>();
    private final List<String> marked = new ArrayList<>();

    CallFindings(LatencySnapshot figures) {
        this.figures = figures;
    }

    /**
     * The calls of a host were read.
     *
     * @param where what stands before each sentence
     * @param toEnd whether all of them were
     */
    void read(String where, HostEvents host, TraceFindings trace, boolean toEnd) {
        // If the trace was known not to be whole before, the session's own sentences say why.
        if (host.whole()) {
            trace.damage().forEach(problem -> found.add(where + "The trace is damaged: " + problem + "."));
            if (trace.damages() > trace.damage().size()) {
                found.add(where + "The trace is damaged in " + LatencyFormat.count(trace.damages() - trace.damage().size())
                        + " places more.");
            }
        }
        if (toEnd) {
            missing(where, host, trace);
        }
        if (!host.whole() || trace.damages() > 0 || trace.lostEvents() > 0 || trace.lostPackets() > 0) {
            found.add(where + "As events are missing, which call encloses another one and who woke a thread is not certain: parent"
                    + " and waker are left empty" + (host.whole() ? " from where that shows on. A gap shows at its end only: of calls"
                            + " within it they may be wrong." : "."));
        }
        count(where, toEnd ? trace.withoutEnd() : 0, "call began and has no end in the trace, so it is not listed: it was abandoned, or still"
                + " ran at the end.", "calls began and have no end in the trace, so they are not listed: they were abandoned, or"
                + " still ran at the end.");
        String why = " no thread name, so comparisons take an empty text: agents before 0.3 wrote no names, and a thread may end before"
                + " its name is read.";
        count(where, trace.unnamed(), "call has" + why, "calls have" + why);
        if (trace.forgot()) {
            found.add(where + "The trace has more threads or more open calls than are kept in memory: what was known of some was"
                    + " given up, so thread, parent, waker and start_cpu may be missing.");
        }
        count(where, trace.unknownCauses(), "call has causes that this version does not know: its own do not add up to wall.",
                "calls have causes that this version does not know: their own do not add up to wall.");
    }

    private void missing(String where, HostEvents host, TraceFindings trace) {
        long counted = host.figures().functions().stream().mapToLong(f -> f.wall().count()).sum();
        if (trace.calls() < counted) {
            found.add(where + LatencyFormat.count(counted - trace.calls()) + " of the " + LatencyFormat.count(counted)
                    + " calls that ended are not in the trace, so they are not listed; the report counts them.");
        }
    }

    /** No calls of a host are listed. */
    void without(HostWithoutEvents host) {
        if (host.calls() > 0) {
            found.add(SafeText.line(host.target()) + ": None of its " + LatencyFormat.count(host.calls()) + " calls is listed, as "
                    + (host.recorded() ? "its trace can't be read" : "it was recorded without events") + "; the report counts them.");
        }
    }

    /** Some calls were listed after others that had begun later. */
    void late(long calls) {
        count("", calls, "call stands behind ones that began after it, as its entry is missing.",
                "calls stand behind ones that began after them, as their entries are missing.");
    }

    private void count(String where, long count, String one, String many) {
        if (count > 0) {
            found.add(where + LatencyFormat.count(count) + " " + (count == 1 ? one : many));
        }
    }

    /**
     * What has to be known of the times of calls that were told.
     *
     * @param functions the ids of their functions
     */
    void marked(String where, HostEvents host, Set<Long> functions) {
        MarkedFunctions.sentences(host.figures(), host.figures().functions().stream()
                .filter(latency -> functions.contains((long) latency.function().id())).toList())
                .forEach(sentence -> marked.add(where + sentence));
    }

    List<String> sentences() {
        List<String> sentences = new ArrayList<>(new SessionText(figures).warnings());
        sentences.addAll(found);
        sentences.addAll(marked);
        return sentences;
    }

    /** Without those that are true of the whole session. */
    List<String> ofCalls() {
        return List.copyOf(found);
    }
}
