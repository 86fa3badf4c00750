// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

/**
 * Sorts numbers by keys: millions of both, without an object for any. Digit by digit, the lowest first; so what has the same key
 * stays in its order.
 */
final class KeySort {
    private static final int DIGIT_BITS = 11;
    private static final int DIGITS = 1 << DIGIT_BITS;

    private KeySort() {
    }

    /**
     * Sorts by ascending keys.
     *
     * @param keys     changed as well
     * @param step     runs now and then; may end it by throwing
     */
    static void sort(long[] keys, int[] numbers, int size, Runnable step) {
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        boolean sorted = true;
        for (int i = 0; i < size; i++) {
            sorted &= keys[i] >= most;
            least = Math.min(least, keys[i]);
            most = Math.max(most, keys[i]);
        }
        if (sorted) {
            return;
        }
        long[] fromKeys = keys;
        int[] from = numbers;
        long[] toKeys = new long[size];
        int[] to = new int[size];
        // The difference of the two may be more than a positive long holds; without its sign it is right.
        for (int shift = 0; shift < Long.SIZE && most - least >>> shift != 0; shift += DIGIT_BITS) {
            step.run();
            pass(fromKeys, from, toKeys, to, size, least, shift);
            long[] otherKeys = fromKeys;
            int[] other = from;
            fromKeys = toKeys;
            from = to;
            toKeys = otherKeys;
            to = other;
        }
        if (from != numbers) {
            System.arraycopy(from, 0, numbers, 0, size);
            System.arraycopy(fromKeys, 0, keys, 0, size);
        }
    }

    private static void pass(long[] fromKeys, int[] from, long[] toKeys, int[] to, int size, long least, int shift) {
        int[] places = new int[DIGITS + 1];
        for (int i = 0; i < size; i++) {
            places[digit(fromKeys[i] - least, shift) + 1]++;
        }
        for (int digit = 0; digit < DIGITS; digit++) {
            places[digit + 1] += places[digit];
        }
        for (int i = 0; i < size; i++) {
            int place = places[digit(fromKeys[i] - least, shift)]++;
            toKeys[place] = fromKeys[i];
            to[place] = from[i];
        }
    }

    private static int digit(long above, int shift) {
        return (int) (above >>> shift) & DIGITS - 1;
    }
}
