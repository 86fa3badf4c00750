// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.util.Arrays;
import java.util.function.LongConsumer;

/** Values by addresses, none of which is 0. A map of the JDK's would make an object of each address that is looked up. */
final class AddressMap<T> {
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private long[] keys = new long[32];
    private Object[] values = new Object[32];
    private int size;

    /** Null if there is none. */
    @SuppressWarnings("unchecked")
    T get(long address) {
        return (T) values[slot(address)];
    }

    private int slot(long address) {
        int mask = keys.length - 1;
        int slot = (int) (address * SPREAD >>> 40) & mask;
        while (keys[slot] != 0 && keys[slot] != address) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    void put(long address, T value) {
        if (2 * ++size > keys.length) {
            long[] oldKeys = keys;
            Object[] oldValues = values;
            keys = new long[2 * oldKeys.length];
            values = new Object[keys.length];
            for (int i = 0; i < oldKeys.length; i++) {
                if (oldKeys[i] != 0) {
                    int slot = slot(oldKeys[i]);
                    keys[slot] = oldKeys[i];
                    values[slot] = oldValues[i];
                }
            }
        }
        int slot = slot(address);
        keys[slot] = address;
        values[slot] = value;
    }

    void addresses(LongConsumer told) {
        Arrays.stream(keys).filter(key -> key != 0).forEach(told);
    }
}
