// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.calls.Call;
import org.kview.model.LatencyBuckets;
import org.kview.model.Metric;

/** Each answer is that of who goes through all calls. */
class CallQueriesTest {
    private static final int BOXES = 200;

    @TempDir
    Path folder;

    private Recording recording;
    private CallStore store;
    private CallQueries queries;
    private final Random random = new Random(7);

    @BeforeEach
    void open() throws Exception {
        recording = Recording.ofDemo();
        store = recording.store(folder.resolve("store"), 50, 200);
        queries = new CallQueries(store);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Call any() {
        return recording.calls().get(random.nextInt(recording.calls().size()));
    }

    /** What a user would select who draws a box from one call to another. */
    private CallBox box() {
        long[] ends = {any().endNanos(), any().endNanos()};
        long[] walls = {any().wallNanos(), any().wallNanos()};
        return new CallBox(random.nextBoolean() ? CallBox.Range.ALL : range(ends), random.nextBoolean() ? CallBox.Range.ALL : range(walls),
                random.nextBoolean() ? Optional.empty() : Optional.of(Set.of(any().function(), 99L)),
                random.nextBoolean() ? Optional.empty() : Optional.of(Set.of(any().tid(), -1L)),
                random.nextBoolean() ? Optional.empty() : Optional.of(Set.of(any().mainPart())));
    }

    private static CallBox.Range range(long[] ends) {
        return new CallBox.Range(Math.min(ends[0], ends[1]), Math.max(ends[0], ends[1]));
    }

    private static boolean contains(CallBox box, Call call) {
        return call.endNanos() >= box.end().least() && call.endNanos() <= box.end().most()
                && call.wallNanos() >= box.wall().least() && call.wallNanos() <= box.wall().most()
                && box.functions().map(ids -> ids.contains(call.function())).orElse(true)
                && box.threads().map(ids -> ids.contains(call.tid())).orElse(true)
                && box.mainParts().map(parts -> parts.contains(call.mainPart())).orElse(true);
    }

    private List<Integer> rows(CallBox box) {
        return IntStream.range(0, recording.calls().size()).filter(row -> contains(box, recording.calls().get(row))).boxed().toList();
    }

    private static List<Integer> list(long[] rows) {
        return Arrays.stream(rows).mapToObj(row -> (int) row).toList();
    }

    @Test
    void aBoxHoldsTheCallsOfWhichAllIsTrue() {
        int some = 0;
        for (int i = 0; i < BOXES; i++) {
            CallBox box = box();
            List<Integer> rows = rows(box);
            assertThat(queries.count(box)).isEqualTo(rows.size());
            assertThat(list(queries.first(box, 10))).isEqualTo(rows.stream().limit(10).toList());
            some += rows.isEmpty() ? 0 : 1;
        }
        assertThat(some).isBetween(BOXES / 4, BOXES);
    }

    @Test
    void theSlowestComeFirst() {
        for (int i = 0; i < BOXES; i++) {
            CallBox box = box();
            int most = random.nextInt(30);
            assertThat(list(queries.slowest(box, most, () -> true))).isEqualTo(rows(box).stream()
                    .sorted(Comparator.comparingLong((Integer row) -> -recording.calls().get(row).wallNanos())
                            .thenComparing(Comparator.naturalOrder())).limit(most).toList());
        }
    }

    @Test
    void percentilesAreTimesOfCalls() {
        double[] wanted = {50, 90, 99, 99.9, 100, 0.001};
        for (int i = 0; i < BOXES; i++) {
            CallBox box = box();
            long[] walls = rows(box).stream().mapToLong(row -> recording.calls().get(row).wallNanos()).sorted().toArray();
            long[] found = queries.percentiles(box, wanted);
            for (int p = 0; p < wanted.length; p++) {
                int rank = Math.max(1, (int) Math.ceil(walls.length * wanted[p] / 100));
                assertThat(found[p]).isEqualTo(walls.length == 0 ? 0 : walls[rank - 1]);
            }
        }
    }

    @Test
    void belowACallAreThoseWhoseParentsLeadToIt() {
        int deep = 0;
        for (int row = 0; row < recording.calls().size(); row += 7) {
            Call outer = recording.calls().get(row);
            Set<Call.Parent> around = new HashSet<>(Set.of(new Call.Parent(outer.function(), outer.beginNanos())));
            List<Integer> inner = new ArrayList<>();
            // The outer of them end later.
            for (int i = row - 1; i >= 0; i--) {
                Call call = recording.calls().get(i);
                if (call.tid() == outer.tid() && call.parent().filter(around::contains).isPresent()) {
                    around.add(new Call.Parent(call.function(), call.beginNanos()));
                    inner.addFirst(i);
                }
            }
            assertThat(list(queries.below(row))).isEqualTo(inner);
            deep += inner.isEmpty() ? 0 : 1;
        }
        assertThat(deep).isGreaterThan(10);
    }

    @Test
    void aHeatMapCountsEachCallOnceAtAnyZoom() {
        long begin = recording.calls().getFirst().endNanos();
        long end = recording.calls().getLast().endNanos() + 1;
        Set<Long> slots = new HashSet<>();
        for (int i = 0; i < BOXES; i++) {
            long from = i == 0 ? begin : begin + (long) ((end - begin) * random.nextDouble());
            long to = i == 0 ? end : from + (long) ((end - from) * Math.pow(random.nextDouble(), 8)) + 1;
            Optional<Set<Long>> functions = random.nextBoolean() ? Optional.empty() : Optional.of(Set.of(any().function()));
            Pyramid.HeatMap map = store.pyramid().heatMap(from, to, 100, functions, () -> true);
            slots.add(map.slotNanos());
            assertThat(map.counts().length).isBetween(1, 100);
            assertThat(map.beginNanos()).isLessThanOrEqualTo(from);
            assertThat(map.beginNanos() + map.slotNanos() * map.counts().length).isGreaterThanOrEqualTo(to);
            long[][] counts = new long[map.counts().length][LatencyBuckets.COUNT];
            for (Call call : recording.calls()) {
                long slot = Math.floorDiv(call.endNanos() - map.beginNanos(), map.slotNanos());
                if (slot >= 0 && slot < counts.length && functions.map(ids -> ids.contains(call.function())).orElse(true)) {
                    counts[(int) slot][LatencyBuckets.indexOf(call.wallNanos())]++;
                }
            }
            assertThat(map.counts()).isDeepEqualTo(counts);
        }
        // From single calls, and from several levels.
        assertThat(slots).hasSizeGreaterThan(5);
    }

    @Test
    void allMainPartsAreNamedByTheirOrdinal() {
        Set<Metric> seen = EnumSet.noneOf(Metric.class);
        for (int row = 0; row < recording.calls().size(); row++) {
            Metric part = Metric.values()[(int) store.value(row, CallField.MAIN_PART)];
            assertThat(part).isEqualTo(recording.calls().get(row).mainPart());
            seen.add(part);
        }
        assertThat(seen).contains(Metric.ON_CPU, Metric.LOCK);
    }
}
