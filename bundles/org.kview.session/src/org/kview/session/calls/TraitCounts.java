// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.HashMap;
import java.util.Map;

import org.kview.session.calls.CallGroup.Trait;

/**
 * Counts what calls have in common, millions of them: a hash table with open addresses, without an object for any call. The
 * product has no library with maps of plain numbers, and a {@link HashMap} took mostly twice as long for each of them, or more.
 */
final class TraitCounts {
    private static final long SPREAD = 0x9E3779B97F4A7C15L;
    /** Keeps equal numbers of several hosts apart: hosts number their CPUs and threads alike. */
    private static final long HOST_SPREAD = 1_000_003;

    private long[] numbers = new long[64];
    private int[] hosts = new int[64];
    private long[] counts = new long[64];
    private int used;

    void add(int host, long number) {
        int at = place(host, number);
        if (counts[at] == 0) {
            if (2 * (used + 1) > counts.length) {
                grow();
                at = place(host, number);
            }
            used++;
            numbers[at] = number;
            hosts[at] = host;
        }
        counts[at]++;
    }

    /** Where it is, or would be. */
    private int place(int host, long number) {
        int mask = counts.length - 1;
        int at = (int) ((number + host * HOST_SPREAD) * SPREAD >>> 32) & mask;
        while (counts[at] != 0 && (numbers[at] != number || hosts[at] != host)) {
            at = at + 1 & mask;
        }
        return at;
    }

    private void grow() {
        long[] oldNumbers = numbers;
        int[] oldHosts = hosts;
        long[] oldCounts = counts;
        numbers = new long[2 * oldCounts.length];
        hosts = new int[numbers.length];
        counts = new long[numbers.length];
        for (int i = 0; i < oldCounts.length; i++) {
            if (oldCounts[i] > 0) {
                int at = place(oldHosts[i], oldNumbers[i]);
                numbers[at] = oldNumbers[i];
                hosts[at] = oldHosts[i];
                counts[at] = oldCounts[i];
            }
        }
    }

    long count(Trait trait) {
        return counts[place(trait.host(), trait.number())];
    }

    Map<Trait, Long> all() {
        Map<Trait, Long> all = new HashMap<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                all.put(new Trait(hosts[i], numbers[i]), counts[i]);
            }
        }
        return all;
    }
}
