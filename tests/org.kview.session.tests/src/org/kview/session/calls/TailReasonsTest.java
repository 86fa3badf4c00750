// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.calls.CallBox.Range;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.model.SyntaxException;
import org.kview.session.calls.TailReasons.Found;
import org.kview.session.calls.TailReasons.Reason;
import org.kview.session.read.SessionReader;
import org.kview.session.store.CallStores;

class TailReasonsTest {
    @TempDir
    Path temp;

    private interface Question {
        void ask(SessionReader session, StoredSession calls) throws Exception;
    }

    private void ask(Question question) throws Exception {
        ask(Demo.in(temp), question);
    }

    private void ask(Path demo, Question question) throws Exception {
        CallStores stores = CallStores.in(temp.resolve("stores"), Long.MAX_VALUE);
        try (SessionReader session = SessionReader.open(demo);
                SessionCallStore store = SessionCallStore.of(session, demo, stores, _ -> true).orElseThrow()) {
            Exception[] thrown = new Exception[1];
            store.ask(calls -> {
                try {
                    question.ask(session, calls);
                } catch (Exception e) {
                    thrown[0] = e;
                }
                return "";
            });
            if (thrown[0] != null) {
                throw thrown[0];
            }
        }
    }

    private static FunctionLatency function(SessionReader session, String name) {
        return session.snapshot().functions().stream().filter(f -> f.function().name().equals(name)).findFirst().orElseThrow();
    }

    private static List<StoredCall> list(StoredSession calls, CallSelector selector, String filter) throws SyntaxException {
        CallList list = calls.list(selector, CallFilter.parse(filter), CallOrder.parse("wall"), _ -> true);
        return IntStream.range(0, list.size()).map(list::number).mapToObj(calls::call).toList();
    }

    private static double mean(List<StoredCall> calls, Metric part) {
        return calls.stream().mapToLong(call -> call.nanos(part)).average().orElse(0);
    }

    /** Slow calls of price_basket wait for a lock, which cache-flusher holds. */
    @Test
    void theNumbersAreThoseOfTheCalls() throws Exception {
        ask((session, calls) -> {
            FunctionLatency basket = function(session, "price_basket");
            CallSelector of = CallSelector.ALL.withFunctions(Optional.of(Set.of(basket.function().id())));
            Range slow = new Range(5_000_000, Long.MAX_VALUE);
            List<StoredCall> tail = list(calls, of, "wall >= 5ms");
            List<StoredCall> rest = list(calls, of, "wall < 5ms");
            Found found = calls.reasons(of, Range.ALL, slow, _ -> true);
            assertThat(found.tailCalls()).isEqualTo(tail.size()).isPositive();
            assertThat(found.restCalls()).isEqualTo(rest.size()).isPositive();
            assertThat(found.tailMeanNanos()).isCloseTo(mean(tail, Metric.WALL), within(1.0));
            assertThat(found.restMeanNanos()).isCloseTo(mean(rest, Metric.WALL), within(1.0));
            double more = mean(tail, Metric.WALL) - mean(rest, Metric.WALL);
            double lock = mean(tail, Metric.LOCK) - mean(rest, Metric.LOCK);
            Reason first = found.reasons().getFirst();
            assertThat(first.cause()).contains(Metric.LOCK);
            assertThat(first.text()).isEqualTo(LatencyFormat.percent(lock / more) + " of what they take longer is lock: "
                    + LatencyFormat.nanos(mean(tail, Metric.LOCK)) + " a call instead of " + LatencyFormat.nanos(mean(rest, Metric.LOCK))
                    + ".");
            assertThat(found.reasons().stream().map(Reason::evidence)).as("cache-flusher wakes the fast ones as well")
                    .noneMatch(evidence -> evidence.startsWith("waker"));
        });
    }

    /** What they have in common, with the share of those that have it on both sides. */
    @Test
    void sharesAreThoseOfTheCalls() throws Exception {
        ask((_, calls) -> {
            Range slow = new Range(5_000_000, Long.MAX_VALUE);
            List<StoredCall> tail = list(calls, CallSelector.ALL, "wall >= 5ms");
            List<StoredCall> rest = list(calls, CallSelector.ALL, "wall < 5ms");
            List<Reason> reasons = calls.reasons(CallSelector.ALL, Range.ALL, slow, _ -> true).reasons();
            Reason thread = reasons.stream().filter(reason -> reason.evidence().startsWith("tid == ")).findFirst().orElseThrow();
            long tid = Long.parseLong(thread.evidence().substring("tid == ".length()));
            assertThat(thread.text()).startsWith(share(tail, tid) + " of them ran in thread ").endsWith("; of the others "
                    + share(rest, tid) + ".");
        });
    }

    private static String share(List<StoredCall> calls, long tid) {
        return LatencyFormat.percent((double) calls.stream().filter(call -> call.tid() == tid).count() / calls.size());
    }

    /** Each sentence leads to calls that there are. */
    @Test
    void eachSentenceHasItsEvidence() throws Exception {
        ask((_, calls) -> {
            Range slow = new Range(5_000_000, Long.MAX_VALUE);
            Found found = calls.reasons(CallSelector.ALL, Range.ALL, slow, _ -> true);
            assertThat(found.reasons()).hasSizeGreaterThan(2);
            for (Reason reason : found.reasons()) {
                assertThat(list(calls, CallSelector.ALL.withWall(slow), reason.evidence())).as(reason.text()).isNotEmpty();
            }
        });
    }

    /** What is subtracted for the probes is time on a CPU, so no difference of it is told as if it were sure. */
    @Test
    void aDifferenceThatTheProbesMayHaveMadeIsTold() throws Exception {
        String onCpu = onCpuReason(Demo.in(temp));
        assertThat(onCpu).endsWith(".").doesNotContain("probes");
        Path doubtful = Demo.unpackedIn(temp);
        Path json = doubtful.resolve("session.json");
        String page = "\"name\" : \"render_page\",";
        // 10 ms in each of its 76 calls.
        Files.writeString(json, Files.readString(json).replace(page, page + " \"lost\" : {}, \"uncertain_ns\" : 760000000,"));
        assertThat(onCpuReason(doubtful)).isEqualTo(onCpu.substring(0, onCpu.length() - 1)
                + ", which may be the probes: each is known to ± 10.0 ms.");
    }

    /** A call that takes ten times as long has more probes within it: the error that is told grows with the time. */
    @Test
    void theErrorGrowsWithTheCallsTime() throws Exception {
        Path demo = Demo.unpackedIn(temp);
        String onCpu = onCpuReason(demo);
        assertThat(onCpu).doesNotContain("probes");
        long[] uncertain = new long[1];
        ask(demo, (session, calls) -> {
            CallSelector of = CallSelector.ALL.withFunctions(Optional.of(Set.of(function(session, "render_page").function().id(),
                    function(session, "fetch_rates").function().id())));
            double tail = mean(list(calls, of, "wall >= 5ms"), Metric.ON_CPU);
            double more = tail - mean(list(calls, of, "wall < 5ms"), Metric.ON_CPU);
            // Of the tail's time as much as the difference; of a mean call of the function in doubt far less.
            Distribution brief = function(session, "fetch_rates").distribution(Metric.ON_CPU);
            uncertain[0] = Math.round(more / tail * brief.totalNanos());
            assertThat(2.0 * uncertain[0] / brief.count()).isLessThan(more / 10);
        });
        Path json = demo.resolve("session.json");
        String name = "\"name\" : \"fetch_rates\",";
        Files.writeString(json, Files.readString(json).replace(name, name + " \"lost\" : {}, \"uncertain_ns\" : " + uncertain[0] + ","));
        assertThat(onCpuReason(demo)).startsWith(onCpu.substring(0, onCpu.length() - 1) + ", which may be the probes: they are known to ± ")
                .contains(" and ± ");
    }

    /** Of two functions' calls: those that compute are slower than those that wait for a socket. */
    private String onCpuReason(Path path) throws Exception {
        String[] told = new String[1];
        ask(path, (session, calls) -> {
            CallSelector of = CallSelector.ALL.withFunctions(Optional.of(Set.of(function(session, "render_page").function().id(),
                    function(session, "fetch_rates").function().id())));
            Range slow = new Range(5_000_000, Long.MAX_VALUE);
            told[0] = calls.reasons(of, Range.ALL, slow, _ -> true).reasons().stream()
                    .filter(reason -> reason.cause().equals(Optional.of(Metric.ON_CPU))).findFirst().orElseThrow().text();
        });
        return told[0];
    }

    /** Calls that were chosen by something that has to do with nothing: by every other slice of time. */
    @Test
    void whatIsChanceIsNotTold() throws Exception {
        ask((session, calls) -> {
            CallSelector of = CallSelector.ALL.withFunctions(Optional.of(Set.of(function(session, "render_page").function().id())));
            Range all = calls.time(Optional.empty()).orElseThrow();
            Range some = new Range(all.least(), all.least() + (all.most() - all.least()) / 2);
            Found found = calls.reasons(of, some, Range.ALL, _ -> true);
            assertThat(found.tailCalls()).isPositive();
            assertThat(found.reasons()).noneMatch(reason -> reason.evidence().startsWith("tid") || reason.evidence().startsWith("waker"));
        });
    }

    @Test
    void ofNoneOrOfAllThereIsNothingToTell() throws Exception {
        ask((_, calls) -> {
            assertThat(calls.reasons(CallSelector.ALL, Range.ALL, Range.ALL, _ -> true).reasons()).isEmpty();
            assertThat(calls.reasons(CallSelector.ALL, Range.ALL, new Range(Long.MAX_VALUE, Long.MAX_VALUE), _ -> true).reasons())
                    .isEmpty();
        });
    }
}
