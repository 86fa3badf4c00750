// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.calls.Pyramid.HeatMap;
import org.kview.ctf.calls.Call;
import org.kview.model.LatencyBuckets;
import org.kview.model.Metric;

/** What is shown of a store while it is built is what is in the trace up to there, and stays so. */
class StoreGrowthTest {
    @TempDir
    Path folder;

    private final List<CallStore> told = new ArrayList<>();

    @Test
    void eachHasAllCallsUpToThere() throws Exception {
        Recording recording = Recording.ofDemo();
        try (StoreGrowth growth = new StoreGrowth(told::add, 0, 0)) {
            StoreBuilder.build(recording.trace(), true, folder.resolve("store"), "key", _ -> true, Optional.of(growth),
                    new StoreBuilder.Sizes(50, 64, 100));
            assertThat(told).hasSizeGreaterThan(3);
            try (CallStore whole = CallStore.open(folder.resolve("store"), "key")) {
                for (CallStore store : told) {
                    store.verify(_ -> true);
                    assertCalls(store, recording.calls().subList(0, Math.toIntExact(store.calls())));
                    assertThat(store.findings().calls()).isEqualTo(store.calls());
                    assertStates(store, whole);
                }
            }
            assertThat(told.stream().map(CallStore::calls)).isSorted().doesNotHaveDuplicates();
        }
        CallStore last = told.getLast();
        assertThatThrownBy(() -> last.call(0)).as("closed").isInstanceOf(IllegalStateException.class);
    }

    /** So it can't be told by a store whether it was made while the trace was written: then its rows come a few at a time. */
    @Test
    void aTraceHasOneStoreHoweverItsRowsCome() throws Exception {
        Recording recording = Recording.ofDemo();
        for (int batch : new int[] {1, 50, 2048}) {
            StoreBuilder.build(recording.trace(), true, folder.resolve("store" + batch), "key", _ -> true, Optional.empty(),
                    new StoreBuilder.Sizes(batch, 16, 100));
            assertThat(Files.mismatch(folder.resolve("store1"), folder.resolve("store" + batch))).as("%d at a time", batch).isEqualTo(-1);
        }
    }

    private static void assertCalls(CallStore store, List<Call> calls) {
        long least = calls.stream().mapToLong(Call::endNanos).min().orElseThrow();
        long most = calls.getLast().endNanos();
        assertThat(store.call(calls.size() - 1L)).isEqualTo(calls.getLast());
        assertThat(store.call(calls.size() / 2)).isEqualTo(calls.get(calls.size() / 2));
        assertThat(store.most(CallField.END)).isEqualTo(most);
        long[] wall = calls.stream().mapToLong(Call::wallNanos).sorted().toArray();
        assertThat(new CallQueries(store).percentiles(CallBox.ALL, 50, 100)).containsExactly(wall[(wall.length + 1) / 2 - 1],
                wall[wall.length - 1]);
        HeatMap map = store.pyramid().heatMap(least, most + 1, 50, Optional.empty(), () -> true);
        long[][] counts = new long[map.counts().length][LatencyBuckets.COUNT];
        for (Call call : calls) {
            counts[(int) ((call.endNanos() - map.beginNanos()) / map.slotNanos())][LatencyBuckets.indexOf(call.wallNanos())]++;
        }
        assertThat(map.counts()).isDeepEqualTo(counts);
    }

    /** By state, how long all threads were in it: whatever the length of the slots, also where these go on. */
    private static void assertStates(CallStore store, CallStore whole) {
        long[] told = sums(store, 1);
        assertThat(told[Metric.ON_CPU.ordinal()]).isPositive();
        for (int shift = TurnWriter.FIRST_SHIFT; shift <= TurnWriter.LAST_SHIFT; shift += TurnWriter.STEP) {
            assertThat(sums(store, 1L << shift)).as("slots of 2^%d ns", shift).isEqualTo(told);
        }
        long[] all = sums(whole, 1);
        assertThat(Arrays.stream(told).sum()).isLessThanOrEqualTo(Arrays.stream(all).sum());
    }

    private static long[] sums(CallStore store, long leastSlot) {
        ThreadStates.Picture picture = store.states().picture(0, Long.MAX_VALUE / 2, leastSlot, Optional.empty(), () -> true);
        long[] sums = new long[Metric.values().length];
        picture.states().forEach(state -> sums[state.state().ordinal()] += state.endNanos() - state.beginNanos());
        picture.slots().forEach(slot -> Arrays.setAll(sums, i -> sums[i] + slot.nanos()[i]));
        return sums;
    }
}
