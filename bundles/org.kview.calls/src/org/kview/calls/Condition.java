// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.Arrays;
import java.util.Set;

/** What a column must hold. */
public sealed interface Condition {
    CallField field();

    /** Whether a row whose value is between these two can fulfil it. */
    boolean isPossible(long least, long most);

    /** Whether each row whose value is between these two fulfils it. */
    boolean isCertain(long least, long most);

    boolean holds(long value);

    /**
     * Those of some rows whose value fulfils it. A loop of its own for each kind: millions of rows go through it.
     *
     * @param values by row
     * @param rows   the first {@code count} are looked at
     * @param into   takes the rows, may be the same array
     * @return how many they are
     */
    int choose(long[] values, int[] rows, int count, int[] into);

    /** From {@code least} to {@code most}, both of them included. */
    record Between(CallField field, long least, long most) implements Condition {
        @Override
        public boolean isPossible(long low, long high) {
            return low <= most && high >= least;
        }

        @Override
        public boolean isCertain(long low, long high) {
            return low >= least && high <= most;
        }

        @Override
        public boolean holds(long value) {
            return value >= least && value <= most;
        }

        @Override
        public int choose(long[] values, int[] rows, int count, int[] into) {
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                long value = values[row];
                into[kept] = row;
                kept += value >= least && value <= most ? 1 : 0;
            }
            return kept;
        }
    }

    /** One of several values. */
    record OneOf(CallField field, Set<Long> values) implements Condition {
        public OneOf {
            values = Set.copyOf(values);
        }

        @Override
        public boolean isPossible(long low, long high) {
            for (long value : values) {
                if (value >= low && value <= high) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public boolean isCertain(long low, long high) {
            return low == high && values.contains(low);
        }

        @Override
        public boolean holds(long value) {
            return values.contains(value);
        }

        @Override
        public int choose(long[] of, int[] rows, int count, int[] into) {
            if (values.size() == 1) {
                long only = values.iterator().next();
                return new Between(field, only, only).choose(of, rows, count, into);
            }
            long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int row = rows[i];
                into[kept] = row;
                kept += Arrays.binarySearch(sorted, of[row]) >= 0 ? 1 : 0;
            }
            return kept;
        }
    }
}
