// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

import org.kview.model.CallFates;
import org.kview.model.CameOff;
import org.kview.model.CutCalls;
import org.kview.model.FunctionLatency;
import org.kview.model.Impossible;
import org.kview.model.LatencyFormat;
import org.kview.model.LostCalls;
import org.kview.model.ProbePoint;
import org.kview.model.Verdict;

/** Notes beside a function's figures, without which they could be misunderstood. */
public final class FunctionNotes {
    /** The share of wall-clock time from which on waits within probes get a note. */
    private static final double NOTABLE_WAITS = 0.01;

    private final FunctionLatency latency;
    private final CallFates fates;

    private FunctionNotes(FunctionLatency latency) {
        this.latency = latency;
        this.fates = latency.knownFates();
    }

    /** One each, without a full stop; empty if the figures are what they seem. */
    public static List<String> of(FunctionLatency latency) {
        return new FunctionNotes(latency).all();
    }

    /**
     * The verdict, followed by two notes where they apply: at which point the times end if that is before the end of the
     * call, and how exact they are.
     */
    public static String verdict(FunctionLatency latency) {
        String verdict = Verdict.of(latency).text();
        return verdict + new FunctionNotes(latency).marks(verdict).map(marks -> " · " + marks).orElse("");
    }

    /** In few words; empty if the times are those of whole calls of the whole recording, possible, and exact. */
    public static Optional<String> marks(FunctionLatency latency) {
        return new FunctionNotes(latency).marks("");
    }

    /** @param said beside them, and not to be said twice */
    private Optional<String> marks(String said) {
        List<String> marks = Stream.of(cut().filter(mark -> !said.contains(mark.replace("until ", ""))),
                Impossible.mark(latency).map(mark -> "cannot be true: " + mark).filter(mark -> !said.contains(mark)),
                error().filter(_ -> !said.contains("±")),
                CameOff.mark(latency).map(mark -> "its probes " + mark)).flatMap(Optional::stream).toList();
        return marks.isEmpty() ? Optional.empty() : Optional.of(String.join(" · ", marks));
    }

    private List<String> all() {
        List<String> notes = new ArrayList<>();
        if (latency.function().point() instanceof ProbePoint.Unknown unknown) {
            notes.add("a probe point of a kind that this version does not know: " + unknown.kind());
        }
        cut().ifPresent(mark -> notes.add(fates.cutCalls() > 0 && fates.cutCalls() < latency.wall().count()
                ? mark + ", in " + LatencyFormat.count(fates.cutCalls()) + " of its calls" : mark));
        // No note is needed where the figures are so doubtful that the verdict itself says so.
        error().filter(_ -> !Verdict.of(latency).text().contains("±")).ifPresent(mark -> notes.add("times are known to "
                + mark + ": what the probes took varied"));
        notes.addAll(Impossible.sentences(latency));
        CameOff.note(latency).ifPresent(note -> notes.add("its probes " + note));
        waits().ifPresent(notes::add);
        withoutTime().ifPresent(notes::add);
        if (fates.inconsistentCalls() > 0) {
            notes.add("time off the CPU shortened to the call's own, which it exceeded by an error of measuring: "
                    + LatencyFormat.count(fates.inconsistentCalls()) + (fates.inconsistentCalls() == 1 ? " call" : " calls"));
        }
        int places = latency.function().inlinedPlaces();
        if (places > 0) {
            notes.add("without the calls in " + places + (places == 1 ? " place" : " places")
                    + " where the compiler inlined it");
        }
        if (latency.function().forced()) {
            notes.add("its return address was replaced although nothing proves that harmless");
        }
        return notes;
    }

    /** "until it goes on to process": its time ends before its caller has control again. */
    private Optional<String> cut() {
        return CutCalls.wentOnTo(latency).map(names -> "until it goes on to " + names);
    }

    /** "± 12 %", where it is worth telling; no figure where it may be all of it. */
    private Optional<String> error() {
        OptionalDouble share = latency.errorShare();
        return share.isPresent() && share.getAsDouble() > FunctionLatency.NOTABLE_ERROR
                ? Optional.of("± " + (share.getAsDouble() >= 1 ? "more than 100 %"
                        : String.format(Locale.ROOT, "%.0f %%", share.getAsDouble() * 100)))
                : Optional.empty();
    }

    /**
     * Time that threads waited within probes. It is subtracted and belongs to no cause. It may be more than the wall-clock
     * time that is left.
     */
    private Optional<String> waits() {
        return fates.waitedNanos() <= NOTABLE_WAITS * latency.wall().totalNanos() ? Optional.empty()
                : Optional.of("without " + LatencyFormat.nanos(fates.waitedNanos()) + " that threads waited within probes");
    }

    /** Calls that have no time; empty if there are none. */
    private Optional<String> withoutTime() {
        List<String> parts = new ArrayList<>();
        add(parts, latency.abandoned(), "left in a way that no probe sees");
        add(parts, latency.unfinished(), "still running at the end");
        LostCalls lost = fates.lost();
        add(parts, lost.tooDeep(), "nested too deep");
        add(parts, lost.noMemory(), "of threads there was no memory to follow");
        add(parts, lost.endUnseen(), "whose end no probe saw on their thread");
        add(parts, lost.probesOff(), "running when its probes came off");
        add(parts, lost.exec(), "in which the process executed another program");
        return parts.isEmpty() ? Optional.empty()
                : Optional.of("calls without a time: " + String.join(", ", parts));
    }

    private static void add(List<String> parts, long count, String what) {
        if (count > 0) {
            parts.add(LatencyFormat.count(count) + " " + what);
        }
    }
}
