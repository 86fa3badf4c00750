// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import org.kview.model.Metric;

/** Checks of numbers in replies, which nobody may have counted. One that can't be right throws an {@link IllegalArgumentException}. */
final class WireNumbers {
    private WireNumbers() {
    }

    /** Refuses more than any agent tells: what is made of it would take all memory. */
    static void checkNumber(String what, long number, long most) {
        if (number > most) {
            throw new IllegalArgumentException("more " + what + " than agents tell of: " + number);
        }
    }

    /** A count or a time, which has no sign on the wire. */
    static long counted(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("a count or time beyond 2^63");
        }
        return value;
    }

    /** Of times that nobody can have measured the sum would become negative. */
    static long sum(long all, long more) {
        if (counted(more) > Long.MAX_VALUE - all) {
            throw new IllegalArgumentException("times that add up to more than 2^63 ns");
        }
        return all + more;
    }

    /** {@code ON_CPU}, or why a thread waited. A newer agent may know causes that this client does not know: they are other ones. */
    static Metric metric(int value) {
        return Metric.ofValue(value).filter(m -> m != Metric.WALL).orElse(Metric.OTHER);
    }
}
