// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.calls.CallCursor;
import org.kview.ctf.calls.ThreadTurn;
import org.kview.model.Metric;

/** Pictures of what threads did hold what their turns are, whatever the zoom. */
class ThreadStatesTest {
    @TempDir
    static Path folder;

    private static final List<ThreadTurn> TURNS = new ArrayList<>();
    private static Recording recording;
    private static long begin;
    private static long end;

    @BeforeAll
    static void read() throws Exception {
        recording = Recording.ofDemo();
        try (CallCursor cursor = CallCursor.ahead(recording.trace(), true, TURNS::add)) {
            while (cursor.next().isPresent()) {
                continue;
            }
        }
        begin = TURNS.stream().mapToLong(ThreadTurn::beginNanos).min().orElseThrow();
        end = TURNS.stream().mapToLong(ThreadTurn::endNanos).max().orElseThrow();
        StoreBuilder.build(recording.trace(), true, folder.resolve("store"), "key", _ -> true, Optional.empty(),
                new StoreBuilder.Sizes(2048, 64, 100));
    }

    private static ThreadStates.Picture picture(long from, long to, long least, Optional<Set<Long>> tids) throws Exception {
        try (CallStore store = CallStore.open(folder.resolve("store"), "key")) {
            store.verify(_ -> true);
            assertThat(store.states().turns()).isEqualTo(TURNS.size()).isGreaterThan(1000);
            return store.states().picture(from, to, least, tids, () -> true);
        }
    }

    /** Time by thread, state and slot. */
    private static void add(Map<List<Long>, Long> sums, long slotNanos, long tid, Metric state, long from, long to) {
        for (long at = from; at < to;) {
            long next = Math.min(to, (at / slotNanos + 1) * slotNanos);
            sums.merge(List.of(tid, (long) state.ordinal(), at / slotNanos), next - at, Long::sum);
            at = next;
        }
    }

    private static Map<List<Long>, Long> ofTurns(long slotNanos) {
        Map<List<Long>, Long> sums = new HashMap<>();
        for (ThreadTurn turn : TURNS) {
            add(sums, slotNanos, turn.tid(), Metric.ON_CPU, turn.beginNanos(), turn.outNanos());
            add(sums, slotNanos, turn.tid(), turn.cause(), turn.outNanos(), turn.wokenNanos());
            add(sums, slotNanos, turn.tid(), Metric.RUN_QUEUE, turn.wokenNanos(), turn.endNanos());
        }
        return sums;
    }

    private static Map<List<Long>, Long> of(ThreadStates.Picture picture, long slotNanos) {
        Map<List<Long>, Long> sums = new HashMap<>();
        picture.states().forEach(its -> add(sums, slotNanos, its.tid(), its.state(), its.beginNanos(), its.endNanos()));
        for (ThreadStates.Slot slot : picture.slots()) {
            for (Metric state : Metric.values()) {
                if (slot.nanos()[state.ordinal()] > 0) {
                    sums.merge(List.of(slot.tid(), (long) state.ordinal(), slot.beginNanos() / slotNanos), slot.nanos()[state.ordinal()],
                            Long::sum);
                }
            }
        }
        return sums;
    }

    /** Slots that are summed up when they are asked for, such as were summed up beforehand, and longer ones than these. */
    @Test
    void eachSlotHasAllOfTheTimeOfEachStateAtAnyZoom() throws Exception {
        for (long least : new long[] {1 << 14, 1 << 17, 1 << 19, 1 << 20, (1 << 20) + 1, 1 << 22, 1 << 27, 1L << 31, 1L << 34, 1L << 40}) {
            ThreadStates.Picture picture = picture(begin, end, least, Optional.empty());
            assertThat(picture.slotNanos()).as("slots for " + least).isBetween(least, 8 * least - 1);
            assertThat(of(picture, picture.slotNanos())).as("slots of " + picture.slotNanos()).isEqualTo(ofTurns(picture.slotNanos()));
            assertThat(picture.slots()).isNotEmpty();
            assertThat(picture.isPartial()).isFalse();
        }
    }

    @Test
    void nearByEachStateIsToldByItself() throws Exception {
        ThreadStates.Picture all = picture(begin, end, 0, Optional.empty());
        assertThat(all.slots()).isEmpty();
        assertThat(of(all, 1 << 20)).isEqualTo(ofTurns(1 << 20));
        assertThat(all.states()).anyMatch(state -> state.waker().isPresent()).allMatch(
                state -> state.cpu().isPresent() == (state.state() == Metric.ON_CPU));
        long middle = begin + (end - begin) / 2;
        ThreadStates.Picture moment = picture(middle, middle + 1000, 0, Optional.empty());
        assertThat(moment.states()).isNotEmpty().containsExactlyInAnyOrderElementsOf(all.states().stream()
                .filter(state -> state.beginNanos() <= middle + 1000 && state.endNanos() >= middle).toList());
    }

    /** No sums are kept of them. What is shorter than a slot is there again as soon as all turns of the time are read. */
    @Test
    void ofTooManyThreadsThePictureSaysThatShortStatesAreMissing() throws Exception {
        Path file = folder.resolve("turns");
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofConfined()) {
            TurnWriter writer = new TurnWriter(BlockSink.of(out), 64);
            long[][] row = new long[TurnField.COUNT][1];
            for (long tid = 0; tid <= ThreadStates.MOST_THREADS; tid++) {
                TurnWriter.put(new ThreadTurn(tid, 1_000 * tid, 0, 1_000 * tid + 500, Metric.LOCK, 1L << 24, 1L << 24, Optional.empty()),
                        new TextIds(), row, 0);
                writer.add(row, 0);
            }
            List<BlockIndex> turns = writer.finish();
            assertThat(writer.levels()).isEmpty();
            ThreadStates states = new ThreadStates(new Table(Block.of(out.map(MapMode.READ_ONLY, 0, out.size(), arena), turns)), List.of(), List.of());
            ThreadStates.Picture far = states.picture(0, 1L << 24, 1 << 20, Optional.empty(), () -> true);
            assertThat(far.isPartial()).isTrue();
            assertThat(far.slots()).isEmpty();
            assertThat(far.states()).isNotEmpty().allMatch(state -> state.state() == Metric.LOCK);
            ThreadStates.Picture near = states.picture(0, 1L << 24, 1 << 19, Optional.empty(), () -> true);
            assertThat(near.isPartial()).isFalse();
            assertThat(near.slots()).hasSizeGreaterThan(ThreadStates.MOST_THREADS);
        }
    }

    @Test
    void onlyThreadsThatAreAskedForAreTold() throws Exception {
        long tid = TURNS.getFirst().tid();
        for (long least : new long[] {0, 1 << 15, 1 << 22}) {
            ThreadStates.Picture own = picture(begin, end, least, Optional.of(Set.of(tid)));
            ThreadStates.Picture all = picture(begin, end, least, Optional.empty());
            assertThat(own.states()).hasSameSizeAs(all.states().stream().filter(its -> its.tid() == tid).toList())
                    .allMatch(its -> its.tid() == tid);
            assertThat(own.slots()).hasSameSizeAs(all.slots().stream().filter(its -> its.tid() == tid).toList())
                    .allMatch(its -> its.tid() == tid);
        }
    }

    @Test
    void whatIsNotWantedAnyMoreIsGivenUp() throws Exception {
        try (CallStore store = CallStore.open(folder.resolve("store"), "key")) {
            for (long least : new long[] {0, 1 << 22}) {
                assertThatThrownBy(() -> store.states().picture(begin, end, least, Optional.empty(), () -> false))
                        .isInstanceOf(CancellationException.class);
            }
        }
    }

    @Test
    void eachThreadHasItsName() throws Exception {
        try (CallStore store = CallStore.open(folder.resolve("store"), "key")) {
            assertThat(store.threads().keySet()).isEqualTo(recording.calls().stream().map(call -> call.tid()).collect(Collectors.toSet()));
            assertThat(store.threads().values()).allMatch(text -> !store.text(text).isEmpty());
        }
    }
}
