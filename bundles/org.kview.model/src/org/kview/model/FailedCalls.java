// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * System calls that returned an error, of those that were timed.
 *
 * @param byError how many, by the error number as in {@code errno.h}; 0 for those of which it is not known. Unmodifiable
 */
public record FailedCalls(SortedMap<Integer, Long> byError) {
    public static final FailedCalls NONE = new FailedCalls(Collections.emptySortedMap());
    /** Of any system: the kernel returns what is above as an ordinary result. */
    private static final int MAX_ERROR = 4095;

    public FailedCalls {
        byError = Collections.unmodifiableSortedMap(new TreeMap<>(byError));
        byError.forEach((error, calls) -> {
            if (error < 0 || error > MAX_ERROR || calls <= 0 || calls > CallFates.MAX) {
                throw new IllegalArgumentException("No count of calls that failed: " + calls + " by error " + error);
            }
        });
    }

    /** All together. */
    public long total() {
        return byError.values().stream().reduce(0L, CallFates::sum);
    }

    /** The sum for the same system call on two hosts. */
    public FailedCalls plus(FailedCalls other) {
        SortedMap<Integer, Long> sums = new TreeMap<>(byError);
        other.byError.forEach((error, calls) -> sums.merge(error, calls, CallFates::sum));
        return new FailedCalls(sums);
    }

    /** The most frequent one first: "ENOENT 7, EINTR 2"; empty if there are none. */
    public String text() {
        return byError.entrySet().stream().sorted(Map.Entry.<Integer, Long>comparingByValue(Comparator.reverseOrder()))
                .map(each -> ErrorNumber.name(each.getKey()) + " " + LatencyFormat.count(each.getValue())).collect(Collectors.joining(", "));
    }
}
