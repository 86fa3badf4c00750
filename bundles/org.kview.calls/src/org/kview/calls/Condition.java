// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.Set;

/** What a column must hold. */
public sealed interface Condition {
    CallField field();

    /** Whether a row whose value is between these two can fulfil it. */
    boolean isPossible(long least, long most);

    /** Whether each row whose value is between these two fulfils it. */
    boolean isCertain(long least, long most);

    boolean holds(long value);

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
    }
}
