// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.calls.CallBox.Range;
import org.kview.calls.CallStore;
import org.kview.calls.Pyramid.HeatMap;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.session.store.CallStores;

/** What views are told of the calls is what {@code kview calls} and the report tell. */
class SessionCallStoreTest {
    private static final List<String> FILTERS = List.of("wall >= 0", "wall > 10ms && cause == lock", "start >= 100ms && start < 300ms",
            "parent ~ \"*\" && waker_tid > 0", "!(depth == 0)", "wall > 1000s");

    @TempDir
    Path temp;

    private <T> T ask(Path path, Function<StoredSession, T> question) throws Exception {
        CallStores stores = CallStores.in(temp.resolve("stores"), Long.MAX_VALUE);
        try (SessionReader session = SessionReader.open(path);
                SessionCallStore store = SessionCallStore.of(session, path, stores, _ -> true).orElseThrow()) {
            return store.ask(question).orElseThrow();
        }
    }

    private Distribution distribution(Path path, CallSelector selector) throws Exception {
        return ask(path, calls -> calls.distribution(selector, () -> true));
    }

    private static LatencySnapshot figures(Path path) throws SessionException {
        try (SessionReader session = SessionReader.open(path)) {
            return session.snapshot();
        }
    }

    private static List<String> lines(String csv) {
        return List.of(csv.split("\r\n"));
    }

    /** Without a store. */
    private static List<String> told(Path path, String filter) throws Exception {
        List<String> lines = new ArrayList<>();
        try (SessionReader session = SessionReader.open(path)) {
            SessionCalls.of(session, path).tell(new CallQuery(CallFilter.parse(filter), Optional.empty(), CallOrder.parse("start"),
                    OptionalInt.empty()), CallForm.csv(), line -> lines.addAll(lines(line)), _ -> { });
        }
        return lines;
    }

    private void assertSame(Path path, List<String> filters) throws Exception {
        for (String filter : filters) {
            List<String> wanted = told(path, filter);
            CallFilter parsed = CallFilter.parse(filter);
            List<CallOrder> orders = new ArrayList<>();
            for (CallColumn column : CallColumn.columns()) {
                orders.add(new CallOrder(column, false));
                orders.add(new CallOrder(column, true));
            }
            ask(path, calls -> {
                orders.forEach(order -> assertSame(calls, parsed, order, wanted));
                return "";
            });
        }
    }

    /** Those that are the same in what they are sorted by may come in any order. */
    private static void assertSame(StoredSession calls, CallFilter filter, CallOrder order, List<String> wanted) {
        CallList list = calls.list(CallSelector.ALL, filter, order, _ -> true);
        int[] numbers = IntStream.range(0, list.size()).map(list::number).toArray();
        assertThat(lines(calls.csv(numbers))).containsExactlyInAnyOrderElementsOf(wanted);
        List<CallRow> rows = Arrays.stream(numbers).mapToObj(calls::row).toList();
        assertThat(rows.stream().map(row -> key(order, row))).as(order.toString())
                .containsExactlyElementsOf(rows.stream().sorted(order.comparator()).map(row -> key(order, row)).toList());
    }

    private static String key(CallOrder order, CallRow row) {
        return order.column().number(row) + " " + order.column().text(row);
    }

    @Test
    void listsAreThoseOfTheCommandInEachOrder() throws Exception {
        assertSame(Demo.in(temp), FILTERS);
    }

    /** Figures that lack something say so. */
    @Test
    void eventsThatCameTooLateAreTold() throws Exception {
        Path demo = Demo.in(temp);
        CallStores stores = CallStores.in(temp.resolve("stores"), Long.MAX_VALUE);
        try (SessionReader session = SessionReader.open(demo)) {
            List<SessionReader.HostEvents> events = SessionCalls.events(session, demo);
            try (CallStore store = stores.build(events.getFirst(), _ -> true).orElseThrow()) {
                List<StorePart> parts = SessionCallStore.parts(session, demo, events, List.of(store));
                assertThat(soFar(session, parts, 0)).matches("Calls until [^,]*\\. Figures are of these; the recording goes on\\.");
                assertThat(soFar(session, parts, 1)).contains(", without 1 event that came too late. Figures");
                assertThat(soFar(session, parts, 1234)).contains(", without 1,234 events that came too late. Figures");
            }
        }
    }

    private static String soFar(SessionReader session, List<StorePart> parts, long late) {
        return new StoredSession(session, parts, Optional.of(StoredSession.Unfinished.live(() -> true, late))).soFar().orElseThrow();
    }

    @Test
    void alsoOfSeveralHosts() throws Exception {
        Path two = Demo.twoHostsIn(temp);
        assertSame(two, List.of("wall > 5ms"));
        LatencySnapshot figures = figures(two);
        int id = figures.functions().getFirst().function().id();
        CallSelector one = CallSelector.ALL.withFunctions(Optional.of(Set.of(id)));
        assertThat(distribution(two, one)).isEqualTo(figures.functions().getFirst().wall());
        assertThat(distribution(two, one.withTarget(Optional.of("web-9"))).count()).isZero();
    }

    /** Buckets, count, total, largest: so each percentile is the report's as well. */
    @Test
    void distributionsAreTheReports() throws Exception {
        Path demo = Demo.in(temp);
        CallOrder slowest = CallOrder.parse("wall");
        for (FunctionLatency function : figures(demo).functions()) {
            CallSelector its = CallSelector.ALL.withFunctions(Optional.of(Set.of(function.function().id())));
            assertThat(distribution(demo, its)).as(function.function().name()).isEqualTo(function.wall());
            Distribution listed = ask(demo, calls -> calls.list(its, CallFilter.ALL, slowest, _ -> true).wall());
            assertThat(listed).isEqualTo(function.wall());
        }
    }

    @Test
    void heatMapsCountEachSelectedCallOnce() throws Exception {
        assertCounts(Demo.in(temp));
        assertCounts(Demo.twoHostsIn(temp));
    }

    private void assertCounts(Path path) throws Exception {
        long calls = ask(path, StoredSession::calls);
        HeatMap whole = ask(path, its -> its.heatMap(CallSelector.ALL, 300, () -> true));
        assertThat(count(whole)).isPositive().isEqualTo(calls);
        Range all = ask(path, its -> its.time(Optional.empty())).orElseThrow();
        CallSelector half = CallSelector.ALL.withEnds(new Range(all.least(), all.least() + (all.most() - all.least()) / 2));
        for (CallSelector selector : List.of(half, half.withWall(new Range(1_000_000, Long.MAX_VALUE)))) {
            HeatMap map = ask(path, its -> its.heatMap(selector, 300, () -> true));
            // The slots are wider than the selected time.
            CallSelector slots = selector.withEnds(new Range(map.beginNanos(),
                    map.beginNanos() + map.slotNanos() * map.counts().length - 1));
            assertThat(map.counts().length).isBetween(100, 300);
            assertThat(count(map)).isPositive().isLessThan(calls).isEqualTo(distribution(path, slots).count());
        }
    }

    /** So those that are told at once stay where they are when all are listed. */
    @Test
    void theSlowestAreTheFirstOfTheList() throws Exception {
        for (Path path : List.of(Demo.in(temp), Demo.twoHostsIn(temp))) {
            CallSelector some = CallSelector.ALL.withWall(new Range(0, 1_000_000));
            for (CallSelector selector : List.of(CallSelector.ALL, some)) {
                CallList all = ask(path, its -> its.list(selector, CallFilter.ALL, CallOrder.SLOWEST_FIRST, _ -> true));
                for (int most : new int[] {1, 7, 256, Integer.MAX_VALUE}) {
                    CallList first = ask(path, its -> its.slowest(selector, most, () -> true));
                    assertThat(numbers(first)).isEqualTo(numbers(all).subList(0, Math.min(most, all.size())));
                }
            }
        }
    }

    private static List<Integer> numbers(CallList list) {
        return IntStream.range(0, list.size()).mapToObj(list::number).toList();
    }

    /** A new selection must not wait for what was asked before it. */
    @Test
    void eachQuestionCanBeGivenUp() throws Exception {
        Path path = Demo.in(temp);
        CallSelector lock = CallSelector.ALL.withCauses(Optional.of(Set.of(Metric.LOCK)));
        List<Function<StoredSession, Object>> questions = List.of(its -> its.distribution(CallSelector.ALL, () -> false),
                its -> its.heatMap(CallSelector.ALL, 100, () -> false), its -> its.heatMap(lock, 100, () -> false),
                its -> its.slowest(CallSelector.ALL, 10, () -> false),
                its -> its.list(CallSelector.ALL, CallFilter.ALL, CallOrder.SLOWEST_FIRST, _ -> false));
        for (Function<StoredSession, Object> question : questions) {
            assertThatThrownBy(() -> ask(path, question)).isInstanceOf(CancellationException.class);
        }
    }

    private static long count(HeatMap map) {
        return Arrays.stream(map.counts()).flatMapToLong(Arrays::stream).sum();
    }

    @Test
    void whatIsMissingIsSaid() throws Exception {
        Path demo = Demo.unpackedIn(temp);
        List<String> none = ask(demo, StoredSession::findings);
        assertThat(none).noneMatch(sentence -> sentence.contains("are not in the trace"));
        byte[] bytes = Files.readAllBytes(demo.resolve("trace/cpu_0"));
        Files.write(demo.resolve("trace/cpu_0"), Arrays.copyOf(bytes, bytes.length / 2));
        List<String> some = ask(demo, StoredSession::findings);
        assertThat(some).anyMatch(sentence -> sentence.contains("are not in the trace"));
    }

    @Test
    void aSessionWithoutEventsSaysWhatToDo() throws Exception {
        Path plain = temp.resolve("plain.kview");
        SampleRecording.record(plain);
        Files.deleteIfExists(plain.resolve("trace/metadata"));
        assertThatThrownBy(() -> ask(plain, StoredSession::calls)).isInstanceOf(SessionException.class);
    }

    @Test
    void withoutAFolderForStoresThatIsSaid() throws Exception {
        Path demo = Demo.in(temp);
        try (SessionReader session = SessionReader.open(demo)) {
            assertThatThrownBy(() -> SessionCallStore.of(session, demo, CallStores.none(), _ -> true))
                    .isInstanceOf(SessionException.class).hasMessageContaining("no folder");
            assertThatThrownBy(() -> SessionCallStore.of(session, demo, CallStores.in(temp.resolve("new"), 1L << 30), _ -> false))
                    .isInstanceOf(CancellationException.class);
        }
    }

    @Test
    void closedItAnswersNoMore() throws Exception {
        Path demo = Demo.in(temp);
        try (SessionReader session = SessionReader.open(demo)) {
            SessionCallStore store = SessionCallStore.of(session, demo, CallStores.in(temp.resolve("stores"), 1L << 30), _ -> true)
                    .orElseThrow();
            assertThat(store.ask(StoredSession::calls)).isPresent();
            store.close();
            assertThat(store.ask(StoredSession::calls)).isEmpty();
        }
    }

    /** What was told of the calls while they were stored, and in the end of the same ones. */
    private record Grown(String soFar, List<String> findings, List<String> calls, List<String> later) {
    }

    private List<Grown> growing(Path path, String wanted) throws Exception {
        List<SessionCallStore> told = new ArrayList<>();
        List<Grown> grown = new ArrayList<>();
        try (SessionReader session = SessionReader.open(path);
                SessionCallStore store = SessionCallStore.of(session, path, CallStores.in(temp.resolve("stores"), 1L << 30), _ -> {
                    // Until then it takes as long as a large one does.
                    if (grown.stream().noneMatch(one -> one.soFar().startsWith(wanted))) {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(210));
                    }
                    return true;
                }, soFar -> {
                    told.add(soFar);
                    grown.add(soFar.ask(its -> new Grown(its.soFar().orElseThrow(), its.findings(), first(its, its.calls()), List.of()))
                            .orElseThrow());
                }).orElseThrow()) {
            assertThat(told).isNotEmpty().allMatch(soFar -> soFar.ask(StoredSession::calls).isEmpty());
            return store.ask(its -> {
                assertThat(its.soFar()).isEmpty();
                return grown.stream().map(one -> new Grown(one.soFar(), one.findings(), one.calls(), first(its, one.calls().size() - 1)))
                        .toList();
            }).orElseThrow();
        }
    }

    private static List<String> first(StoredSession calls, int count) {
        return lines(calls.csv(IntStream.range(0, count).toArray()));
    }

    @Test
    void whileTheyAreStoredThoseUntilSomeMomentAreThere() throws Exception {
        for (Grown grown : growing(Demo.in(temp), "Calls")) {
            assertThat(grown.calls().size()).isGreaterThan(50);
            assertThat(grown.calls().equals(grown.later())).as("the same numbers").isTrue();
            assertThat(grown.soFar()).matches("Calls until [0-9.]+ m?s of [0-9.]+ s\\. Figures are of these; the others are still being stored\\.");
            assertThat(grown.findings()).as("what is to come is not missing").noneMatch(
                    sentence -> sentence.contains("not in the trace") || sentence.contains("no end"));
        }
    }

    @Test
    void ofSeveralHostsThoseThatAreWholeAreThereAsWell() throws Exception {
        Path two = Demo.twoHostsIn(temp);
        try (Stream<Path> files = Files.walk(two)) {
            // Otherwise both have the same store.
            Path stream = files.filter(file -> file.endsWith("trace/cpu_0")).sorted().toList().getLast();
            byte[] bytes = Files.readAllBytes(stream);
            Files.write(stream, Arrays.copyOf(bytes, bytes.length - 1));
        }
        List<Grown> all = growing(two, "Calls of 1");
        assertThat(all).allMatch(grown -> grown.calls().equals(grown.later()));
        assertThat(all.getFirst().soFar()).startsWith("Calls of local until ").contains(", the first of 2 hosts. ");
        assertThat(all.getLast().soFar()).startsWith("Calls of 1 of 2 hosts, and of local those until ");
    }

    @Test
    void sortsAsAnythingElseDoes() {
        Random random = new Random(5);
        for (int round = 0; round < 200; round++) {
            int size = random.nextInt(300);
            int bits = 1 + random.nextInt(64);
            long[] keys = random.longs(size).map(key -> key >> 64 - bits).toArray();
            if (round % 3 == 0 && size > 2) {
                keys[0] = Long.MAX_VALUE;
                keys[1] = Long.MIN_VALUE;
            }
            int[] numbers = IntStream.range(0, size).toArray();
            long[] before = keys.clone();
            int[] wanted = IntStream.range(0, size).boxed().sorted((a, b) -> Long.compare(before[a], before[b]))
                    .mapToInt(Integer::intValue).toArray();
            KeySort.sort(keys, numbers, size, () -> { });
            assertThat(numbers).isEqualTo(wanted);
        }
    }
}
