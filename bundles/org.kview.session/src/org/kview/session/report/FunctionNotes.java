// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.model.CallFates;
import org.kview.model.CameOff;
import org.kview.model.CutCalls;
import org.kview.model.FunctionLatency;
import org.kview.model.Impossible;
import org.kview.model.LatencyFormat;
import org.kview.model.LostCalls;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.SafeText;
import org.kview.model.ValueFigures;
import org.kview.model.Verdict;

/** Notes beside a function's figures, without which they could be misunderstood. */
public final class FunctionNotes {
    /** The share of wall-clock time from which on waits within probes get a note. */
    private static final double NOTABLE_WAITS = 0.01;
    static final String AT_LEAST = "at least these: more may be among other values";
    private static final String SEPARATOR = " · ";
    /** Of a condition, in a mark; the note has all of it. */
    private static final int MOST_CONDITION = 60;

    private final FunctionLatency latency;
    private final CallFates fates;

    private FunctionNotes(FunctionLatency latency) {
        this.latency = latency;
        this.fates = latency.knownFates();
    }

    /** One each, without a full stop; empty if the figures are what they seem. A verdict stands beside them. */
    public static List<String> of(FunctionLatency latency) {
        // If the figures are so doubtful that the verdict itself says so, nobody needs to hear it twice.
        List<String> notes = new FunctionNotes(latency).all(Verdict.of(latency).text().contains("±"), true);
        latency.knownFates().waits().sentences(cause -> timedNanos(latency, cause)).forEach(sentence -> notes.add("waits: " + sentence));
        return notes;
    }

    /**
     * Likewise, for where its single calls stand, without a verdict: calls that have no end are not among these, which is said
     * there of all functions together; nor is for what all of them waited, which puts nothing in doubt.
     */
    static List<String> ofCalls(FunctionLatency latency) {
        return new FunctionNotes(latency).all(false, latency.knownFates().lost().total() > 0);
    }

    /**
     * The verdict, followed by two notes where they apply: at which point the times end if that is before the end of the
     * call, and how exact they are.
     */
    public static String verdict(FunctionLatency latency) {
        return Stream.concat(Stream.of(Verdict.of(latency).text()), besideVerdict(latency).stream()).collect(Collectors.joining(SEPARATOR));
    }

    /** The marks that the verdict does not say itself; empty if there are none. */
    static Optional<String> besideVerdict(FunctionLatency latency) {
        return joined(new FunctionNotes(latency).marks(Verdict.of(latency).text()));
    }

    /** In few words; empty if the times are those of whole calls of the whole recording, possible, and exact. */
    public static Optional<String> marks(FunctionLatency latency) {
        return joined(eachMark(latency));
    }

    private static Optional<String> joined(List<String> marks) {
        return marks.isEmpty() ? Optional.empty() : Optional.of(String.join(SEPARATOR, marks));
    }

    /** The same, one by one. */
    public static List<String> eachMark(FunctionLatency latency) {
        return new FunctionNotes(latency).marks("");
    }

    /** @param said beside them, and not to be said twice */
    private List<String> marks(String said) {
        return Stream.of(conditionMark(), atLeastMark(), cut().filter(mark -> !said.contains(mark.replace("until ", ""))),
                Impossible.mark(latency).map(mark -> "cannot be true: " + mark).filter(mark -> !said.contains(mark)),
                ErrorNotes.mark(latency, said.contains("±")), CameOff.mark(latency).map(mark -> "its probes " + mark)).flatMap(Optional::stream).toList();
    }

    /**
     * Each of them.
     *
     * @param told    whether it is said already that times are in doubt
     * @param untimed whether calls without a time are told
     */
    private List<String> all(boolean told, boolean untimed) {
        List<String> notes = new ArrayList<>();
        if (latency.function().point() instanceof ProbePoint.Unknown unknown) {
            notes.add("a probe point of a kind that this version does not know: " + unknown.kind());
        }
        condition().ifPresent(notes::add);
        cut().ifPresent(mark -> notes.add("its time is only that " + mark + (fates.cutCalls() > 0
                && fates.cutCalls() < latency.wall().count() ? ", in " + LatencyFormat.count(fates.cutCalls()) + " of its calls" : "")));
        atLeast().ifPresent(notes::add);
        ErrorNotes.note(latency, told).ifPresent(notes::add);
        notes.addAll(Impossible.sentences(latency));
        CameOff.note(latency).ifPresent(note -> notes.add("its probes " + note));
        waits().ifPresent(notes::add);
        withoutTime().filter(_ -> untimed).ifPresent(notes::add);
        failed().ifPresent(notes::add);
        if (fates.inconsistentCalls() > 0) {
            notes.add((latency.function().mechanism().equals(Mechanism.JUMP)
                    ? "counted as 0 ns, as less than what the jumps are taken to cost: "
                    : "time off the CPU shortened to the call's own, which it exceeded by an error of measuring: ")
                    + LatencyFormat.count(fates.inconsistentCalls()) + (fates.inconsistentCalls() == 1 ? " call" : " calls"));
        }
        int places = latency.function().inlinedPlaces();
        if (places > 0) {
            notes.add("without the calls in " + places + (places == 1 ? " place" : " places")
                    + " where the compiler inlined it");
        }
        if (latency.function().ends().forced()) {
            notes.add("its return address was replaced although nothing proves that harmless");
        }
        return notes;
    }

    /** Which calls the figures are of, and how many they are not of. */
    private Optional<String> condition() {
        String condition = latency.function().condition();
        long unknown = undecided();
        return condition.isEmpty() ? Optional.empty() : Optional.of("measured where " + SafeText.line(condition) + ": "
                + LatencyFormat.count(latency.calls() - unknown) + " of " + LatencyFormat.count(latency.calls() + fates.unmatched()) + " calls"
                + (unknown == 0 ? "" : ", and perhaps of " + LatencyFormat.count(unknown) + " more whose results are not known"));
    }

    /** Calls whose end was not seen, and so not whether their condition is true of them. */
    private long undecided() {
        return latency.function().isConditionalOnResult() ? Math.min(latency.calls(), latency.unfinished() + fates.lost().total()) : 0;
    }

    private Optional<String> conditionMark() {
        String condition = latency.function().condition();
        return condition.isEmpty() ? Optional.empty() : Optional.of("only where " + SafeText.line(condition, MOST_CONDITION));
    }

    private Optional<String> atLeastMark() {
        return latency.atLeast() ? Optional.of(AT_LEAST) : Optional.empty();
    }

    /** Of a value, or of a function which has such values. */
    private Optional<String> atLeast() {
        long values = latency.values().stream().filter(ValueFigures::atLeast).count();
        return latency.atLeast() ? Optional.of("there may be more such calls: where the value has no figures of its own, they are among other values")
                : values == 0 ? Optional.empty() : Optional.of(LatencyFormat.count(values) + (values == 1 ? " value has" : " values have")
                        + " at least the calls that are told: not every host, or recording, has figures of each value, and it counts the"
                        + " calls of those that it has none of among its other values");
    }

    /** The mark "until it goes on to process": its time ends before its caller has control again. */
    private Optional<String> cut() {
        return CutCalls.wentOnTo(latency).map(names -> "until it goes on to " + names);
    }

    /**
     * Time that threads waited within probes. It is subtracted and belongs to no cause. It may be more than the wall-clock
     * time that is left.
     */
    private Optional<String> waits() {
        return fates.cost().waitedNanos() <= NOTABLE_WAITS * latency.wall().totalNanos() ? Optional.empty()
                : Optional.of("without " + LatencyFormat.nanos(fates.cost().waitedNanos()) + " that threads waited within probes");
    }

    /** How long calls that have a time waited for a cause; of all, where each call has one. */
    private static long timedNanos(FunctionLatency latency, Metric cause) {
        return latency.abandoned() + latency.unfinished() + latency.knownFates().lost().total() == 0 ? Long.MAX_VALUE
                : latency.distribution(cause).totalNanos();
    }

    /** Calls that have no time; empty if there are none. */
    private Optional<String> withoutTime() {
        if (latency.function().countsHits()) {
            return fates.lost().noMemory() == 0 ? Optional.empty()
                    : Optional.of(LatencyFormat.count(fates.lost().noMemory()) + " of the hits have no time between them: there was no room"
                            + " to remember more threads");
        }
        List<String> parts = new ArrayList<>();
        add(parts, latency.abandoned(), "left in a way that no probe sees");
        add(parts, latency.unfinished(), unfinished(latency.function().point()));
        LostCalls lost = fates.lost();
        add(parts, lost.tooDeep(), "nested too deep");
        add(parts, lost.noMemory(), "of threads there was no memory to follow");
        add(parts, lost.endUnseen(), "whose end no probe saw on their thread");
        add(parts, lost.probesOff(), "running when its probes came off");
        add(parts, lost.exec(), "in which the process executed another program");
        return parts.isEmpty() ? Optional.empty()
                : Optional.of("calls without a time: " + String.join(", ", parts));
    }

    /** What became of calls that had not returned at the end: there are two system calls that never do. */
    private static String unfinished(ProbePoint point) {
        return switch (point) {
            case ProbePoint.SystemCall(String name) when name.equals("exit") -> "that did not return, as exit ends the thread";
            case ProbePoint.SystemCall(String name) when name.equals("exit_group") -> "that did not return, as exit_group ends the process";
            default -> "still running at the end";
        };
    }

    /** "failed: ENOENT 7, EINTR 2". */
    private Optional<String> failed() {
        return fates.failed().total() == 0 ? Optional.empty() : Optional.of("failed: " + fates.failed().text());
    }

    private static void add(List<String> parts, long count, String what) {
        if (count > 0) {
            parts.add(LatencyFormat.count(count) + " " + what);
        }
    }
}
