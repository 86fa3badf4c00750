// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import org.kview.model.LatencyFormat;

/** A time: compared, sorted and drawn as a number of ns, but shown as "1.93 ms". */
final class Nanos extends Number implements Comparable<Nanos> {
    private static final long serialVersionUID = 1L;

    private final long value;

    Nanos(long value) {
        this.value = value;
    }

    @Override
    public long longValue() {
        return value;
    }

    @Override
    public int intValue() {
        return (int) Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    @Override
    public double doubleValue() {
        return value;
    }

    @Override
    public float floatValue() {
        return value;
    }

    @Override
    public int compareTo(Nanos other) {
        return Long.compare(value, other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Nanos nanos && nanos.value == value;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(value);
    }

    @Override
    public String toString() {
        return LatencyFormat.nanos(value);
    }
}
