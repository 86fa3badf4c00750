// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.kview.model.CallFates;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.LostCalls;
import org.kview.model.Mechanism;
import org.kview.model.MergedHosts;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.SessionInfo;
import org.kview.model.Wait;
import org.kview.model.Waits;
import org.kview.model.Waker;
import org.kview.testing.Recorded;

/** What is said wherever single calls stand. */
class MarkedFunctionsTest {
    /** Calls of 1 ms. */
    private static FunctionLatency function(int id, String name, int calls, LostCalls lost, long uncertainNanos, boolean forced,
            List<String> goesOnTo) {
        Distribution.Builder times = new Distribution.Builder();
        for (int i = 0; i < calls; i++) {
            times.add(1_000_000);
        }
        ProbedFunction function = new ProbedFunction(id, name, new ProbePoint.UserFunction("/bin/shop", name, 1, 1, 1), Mechanism.TRAP,
                ProbedFunction.ALL_METRICS, new ProbedFunction.Ends(ExitKind.RETURN_SITES, goesOnTo, forced),
                new ProbedFunction.Cost(100, 900), 0);
        return new FunctionLatency(function, calls + lost.total() + 1, 0, 1, Optional.of(Recorded.fates(lost, goesOnTo.isEmpty() ? 0 : calls,
                0, 0, uncertainNanos, 0, 0, Optional.empty())), Map.of(Metric.WALL, times.build(), Metric.ON_CPU, times.build()));
    }

    private static FunctionLatency inDoubt(int id, String name, int calls) {
        return function(id, name, calls, LostCalls.NONE, calls * 120_000L, false, List.of());
    }

    private static LatencySnapshot snapshot(String target, boolean calibrated, FunctionLatency... functions) {
        SessionInfo info = Recorded.info(target, target, "6.18.0", 4711, "shop", "in", "", Instant.EPOCH, Duration.ofSeconds(1),
                SessionInfo.State.STOPPED, "");
        return new LatencySnapshot(info, List.of(functions), Losses.NONE, Recorded.overhead(900, calibrated), List.of());
    }

    private static List<String> sentences(boolean calibrated, FunctionLatency... functions) {
        return MarkedFunctions.sentences(snapshot("a", calibrated, functions));
    }

    private static List<String> marks(boolean calibrated, FunctionLatency... functions) {
        return MarkedFunctions.marks(snapshot("a", calibrated, functions), List.of(functions));
    }

    @Test
    void thoseThatTookMostTimeComeFirst() {
        FunctionLatency cut = function(0, "handle", 10, LostCalls.NONE, 0, false, List.of("poll"));
        FunctionLatency exact = function(1, "exact", 40, LostCalls.NONE, 0, false, List.of());
        FunctionLatency rough = inDoubt(2, "rough", 20);
        assertThat(sentences(true, cut, exact, rough)).containsExactly("rough: times are known to ± 12 %: what the probes took varied.",
                "handle: its time is only that until it goes on to poll.");
        assertThat(marks(true, cut, exact, rough)).containsExactly("rough: ± 12 %", "handle: until it goes on to poll");
    }

    @Test
    void whatHasNoShortFormIsToldWhole() {
        FunctionLatency lost = function(0, "lost", 3, new LostCalls(0, 0, 2, 0, 0), 0, false, List.of());
        FunctionLatency forced = function(1, "forced", 2, LostCalls.NONE, 0, true, List.of());
        assertThat(marks(true, lost, forced)).containsExactly(
                "lost: calls without a time: 1 still running at the end, 2 whose end no probe saw on their thread",
                "forced: its return address was replaced although nothing proves that harmless");
        assertThat(sentences(true, lost, forced)).hasSize(2).allMatch(sentence -> sentence.endsWith("."));
    }

    /** One call, which has no end. */
    private static List<String> notesOfOpenCall(String name) {
        ProbedFunction function = new ProbedFunction(0, name, new ProbePoint.SystemCall(name), Mechanism.TRACEPOINT,
                ProbedFunction.ALL_METRICS, ProbedFunction.Ends.UNKNOWN, ProbedFunction.Cost.UNKNOWN, 0);
        return FunctionNotes.of(new FunctionLatency(function, 1, 0, 1, Optional.of(Recorded.fates(LostCalls.NONE, 0, 0, 0, 0, 0, 0,
                Optional.empty())), Map.of()));
    }

    @Test
    void ofSystemCallsThatNeverReturnItIsNotSaidThatTheyStillRun() {
        assertThat(notesOfOpenCall("exit")).containsExactly("calls without a time: 1 that did not return, as exit ends the thread");
        assertThat(notesOfOpenCall("exit_group")).containsExactly("calls without a time: 1 that did not return, as exit_group ends the process");
        assertThat(notesOfOpenCall("read")).containsExactly("calls without a time: 1 still running at the end");
    }

    /** For what all of them waited puts nothing in doubt: it is told where the function is, and not as a mark where its calls are. */
    @Test
    void waitsAreNoMarks() {
        Wait wait = new Wait(Metric.LOCK, Waker.of(Waker.Kind.INTERRUPT), 0, "", 500_000, 1);
        CallFates fates = CallFates.NONE.with(new Waits(List.of(wait)));
        FunctionLatency plain = function(0, "f", 3, LostCalls.NONE, 0, false, List.of());
        FunctionLatency f = new FunctionLatency(plain.function(), plain.calls(), 0, 1, Optional.of(fates), plain.distributions());
        assertThat(marks(true, f)).isEmpty();
        assertThat(sentences(true, f)).isEmpty();
        assertThat(FunctionNotes.of(f)).last().asString().startsWith("waits: lock, woken by an interrupt or timer: 500 µs in 1 wait");
    }

    /** Where calls stand it is said of all together that some have no end, and of what has no calls there is nothing to say. */
    @Test
    void ofOthersNothingIsSaid() {
        FunctionLatency fine = function(0, "fine", 3, LostCalls.NONE, 0, false, List.of());
        FunctionLatency none = function(1, "none", 0, new LostCalls(1, 0, 0, 0, 0), 0, true, List.of("poll"));
        assertThat(sentences(true, fine, none)).isEmpty();
        assertThat(marks(true, fine, none)).isEmpty();
        assertThat(sentences(false, none)).isEmpty();
    }

    @Test
    void thatNothingCouldBeSubtractedIsTrueOfAll() {
        FunctionLatency fine = function(0, "fine", 3, LostCalls.NONE, 0, false, List.of());
        assertThat(sentences(false, fine)).containsExactly(
                "The probes' own time within a call could not be measured: it is part of the figures.");
        assertThat(marks(false, fine)).containsExactly("not calibrated");
    }

    @Test
    void tenAreNamed() {
        FunctionLatency[] ten = IntStream.range(0, 10).mapToObj(i -> inDoubt(i, "f" + i, 20 - i)).toArray(FunctionLatency[]::new);
        assertThat(sentences(true, ten)).hasSize(10).noneMatch(sentence -> sentence.contains("more"));
        FunctionLatency[] more = IntStream.range(0, 12).mapToObj(i -> inDoubt(i, "f" + i, 20 - i)).toArray(FunctionLatency[]::new);
        assertThat(sentences(true, more)).hasSize(11).last().isEqualTo("2 functions more have notes, which the report tells.");
        assertThat(marks(true, more)).hasSize(12);
    }

    @Test
    void ofSeveralHostsItIsSaidWhich() {
        LatencySnapshot both = MergedHosts.of(List.of(snapshot("web-1", true, inDoubt(0, "f", 2)),
                snapshot("web-2", false, function(5, "f", 2, LostCalls.NONE, 0, false, List.of()))));
        assertThat(MarkedFunctions.sentences(both)).containsExactly("web-1: f: times are known to ± 12 %: what the probes took varied.",
                "web-2: The probes' own time within a call could not be measured: it is part of the figures.");
        assertThat(MarkedFunctions.marks(both, _ -> true)).containsExactly("web-1: f: ± 12 %", "web-2: not calibrated");
    }

    /** In the sum over both the error is 1 %, which is no mark. */
    @Test
    void whatIsInDoubtOnOneHostIsSaidBesideManyExactCallsOfAnother() {
        LatencySnapshot both = MergedHosts.of(List.of(snapshot("web-1", true, inDoubt(0, "f", 2), inDoubt(1, "g", 1)),
                snapshot("web-2", true, function(5, "f", 20, LostCalls.NONE, 0, false, List.of()))));
        assertThat(MarkedFunctions.marks(both, latency -> latency.function().name().equals("f"))).containsExactly("web-1: f: ± 12 %");
        assertThat(MarkedFunctions.sentences(both, latency -> latency.function().name().equals("f")))
                .containsExactly("web-1: f: times are known to ± 12 %: what the probes took varied.");
    }
}
