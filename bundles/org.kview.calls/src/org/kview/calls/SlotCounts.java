// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.Arrays;

import org.kview.model.LatencyBuckets;

/** Counts the calls of a slot of time by function and bucket of their wall-clock time. */
final class SlotCounts {
    private static final int FIRST_ROOM = 1 << 12;

    private long[] counts = new long[FIRST_ROOM];
    private int[] used = new int[FIRST_ROOM];
    private int usedCount;

    /** Hears what was counted. */
    interface Cells<E extends Exception> {
        void cell(int key, long count) throws E;
    }

    /** @param function which of the functions, from 0 */
    static int key(int function, int bucket) {
        return function * LatencyBuckets.COUNT + bucket;
    }

    static int function(int key) {
        return key / LatencyBuckets.COUNT;
    }

    static int bucket(int key) {
        return key % LatencyBuckets.COUNT;
    }

    void add(int key, long count) {
        if (key >= counts.length) {
            counts = Arrays.copyOf(counts, Math.max(key + 1, 2 * counts.length));
        }
        if (counts[key] == 0) {
            if (usedCount == used.length) {
                used = Arrays.copyOf(used, 2 * usedCount);
            }
            used[usedCount++] = key;
        }
        counts[key] += count;
    }

    /** Tells what was counted, by ascending keys, and begins anew. */
    <E extends Exception> void drain(Cells<E> cells) throws E {
        Arrays.sort(used, 0, usedCount);
        for (int i = 0; i < usedCount; i++) {
            cells.cell(used[i], counts[used[i]]);
            counts[used[i]] = 0;
        }
        usedCount = 0;
    }
}
