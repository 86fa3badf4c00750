/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

import org.kview.model.CallFates;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LostCalls;
import org.kview.model.Verdict;

/** What has to be said beside a function's figures, so that nobody takes them for what they are not. */
public final class FunctionNotes {
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

    /** The verdict, and behind it what the times are of where they end before the call does, and how exact they are. */
    public static String verdict(FunctionLatency latency) {
        String verdict = Verdict.of(latency).text();
        return verdict + new FunctionNotes(latency).marks(!verdict.contains("±")).map(marks -> " · " + marks).orElse("");
    }

    /** In few words; empty if the times are those of whole calls of the whole recording, and exact. */
    public static Optional<String> marks(FunctionLatency latency) {
        return new FunctionNotes(latency).marks(true);
    }

    private Optional<String> marks(boolean withError) {
        List<String> marks = Stream.of(cut(), error().filter(_ -> withError),
                fates.probesOff().map(_ -> "its probes came off")).flatMap(Optional::stream).toList();
        return marks.isEmpty() ? Optional.empty() : Optional.of(String.join(" · ", marks));
    }

    private List<String> all() {
        List<String> notes = new ArrayList<>();
        cut().ifPresent(mark -> notes.add(fates.cutCalls() > 0 && fates.cutCalls() < latency.wall().count()
                ? mark + ", in " + LatencyFormat.count(fates.cutCalls()) + " of its calls" : mark));
        error().ifPresent(mark -> notes.add("times are exact to " + mark + ": what the probes took varied"));
        if (latency.wall().count() > 0 && latency.wall().hasBuckets() && latency.wall().percentileNanos(50) < 1) {
            notes.add("p50 of 0 ns: half of its calls took less than its probes, so that nothing was left of them");
        }
        fates.probesOff().ifPresent(off -> notes.add(
                "its probes came off before the end: " + off.why().replaceFirst("[.]$", "")));
        withoutTime().ifPresent(notes::add);
        if (fates.inconsistentCalls() > 0) {
            notes.add("off the CPU for longer than they took, made to fit: "
                    + LatencyFormat.count(fates.inconsistentCalls()) + " calls");
        }
        if (latency.function().forced()) {
            notes.add("its return address was replaced although nothing proves that harmless");
        }
        return notes;
    }

    /** "until it goes on to process": its time ends before its caller has control again. */
    private Optional<String> cut() {
        List<String> names = latency.function().goesOnTo();
        boolean cut = latency.fates().isPresent() ? fates.cutCalls() > 0 : !names.isEmpty() && latency.calls() > 0;
        return cut ? Optional.of("until it goes on to " + (names.isEmpty() ? "another function"
                : String.join(" or ", names))) : Optional.empty();
    }

    /** "± 12 %", where it is worth telling. */
    private Optional<String> error() {
        OptionalDouble share = latency.errorShare();
        return share.isPresent() && share.getAsDouble() > FunctionLatency.NOTABLE_ERROR
                ? Optional.of("± " + (share.getAsDouble() >= 10 ? "more than 1000 %"
                        : String.format(Locale.ROOT, "%.0f %%", share.getAsDouble() * 100)))
                : Optional.empty();
    }

    /** Calls that have no time; empty if there are none. */
    private Optional<String> withoutTime() {
        List<String> parts = new ArrayList<>();
        add(parts, latency.abandoned(), "left by an exception or longjmp");
        add(parts, latency.unfinished(), "still running at the end");
        LostCalls lost = fates.lost();
        add(parts, lost.tooDeep(), "nested too deep");
        add(parts, lost.noMemory(), "of threads there was no memory to follow");
        add(parts, lost.endUnseen(), "whose end no probe saw");
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
