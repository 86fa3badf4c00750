// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import org.kview.model.Distribution;

/** The numbers of calls in an order. Immutable. */
public final class CallList {
    private final int[] numbers;
    private final int size;
    private final Distribution wall;

    CallList(int[] numbers, int size, Distribution wall) {
        this.numbers = numbers;
        this.size = size;
        this.wall = wall;
    }

    public int size() {
        return size;
    }

    /** The number of the call in a place, from 0. */
    public int number(int place) {
        return numbers[place];
    }

    /** How long they took. */
    public Distribution wall() {
        return wall;
    }
}
