// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

/** A number that its trace wants to be shown in hexadecimal digits, as 0xffff8ffe. */
final class Address extends Number {
    private static final long serialVersionUID = 1L;

    private final long value;

    Address(long value) {
        this.value = value;
    }

    @Override
    public long longValue() {
        return value;
    }

    @Override
    public int intValue() {
        return (int) value;
    }

    @Override
    public double doubleValue() {
        // Without a sign: half of it has none in a long, and the lowest bit rounds as it would.
        return value >= 0 ? value : (value >>> 1 | value & 1) * 2.0;
    }

    @Override
    public float floatValue() {
        return (float) doubleValue();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Address address && address.value == value;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(value);
    }

    @Override
    public String toString() {
        return "0x" + Long.toHexString(value);
    }
}
