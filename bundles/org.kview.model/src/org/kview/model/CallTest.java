// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Objects;

/**
 * One comparison of a {@link CallCondition}.
 *
 * @param value      what is compared
 * @param argument   which one, of {@link Value#ARGUMENT}; else 0
 * @param bits       how many of a register's lowest bits are the number: 8, 16, 32 or 64
 * @param sign       how they are a number of 64 bits
 * @param mask       the bits of that which are compared
 * @param comparison how
 * @param number     with which it is compared, in two's complement
 * @param threadName likewise, of {@link Value#THREAD_NAME}; else empty
 */
public record CallTest(Value value, int argument, int bits, Sign sign, long mask, Comparison comparison, long number, String threadName) {
    /** Registers for arguments. */
    public static final int ARGUMENTS = 6;
    /** As many bytes of a thread's name as the kernel keeps. */
    public static final int NAME_BYTES = 15;

    /** What a test is of. */
    public enum Value {
        ARGUMENT,
        /** Known once the call has ended. */
        RETURNED,
        TID,
        THREAD_NAME
    }

    /** How bits of a register are a number. */
    public enum Sign {
        UNSIGNED, SIGNED,
        /** Of 64 bits: where the upper half is 0, the lower half is a signed number of its own, as programs leave an int. */
        SIGNED_INT
    }

    /** How two numbers, or names, are compared. */
    public enum Comparison {
        EQUAL("=="), DIFFERENT("!="), LESS("<"), LESS_OR_EQUAL("<="), GREATER(">"), GREATER_OR_EQUAL(">=");

        private final String text;

        Comparison(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        boolean isByOrder() {
            return this != EQUAL && this != DIFFERENT;
        }
    }

    public CallTest {
        Objects.requireNonNull(value);
        Objects.requireNonNull(sign);
        Objects.requireNonNull(comparison);
        Objects.requireNonNull(threadName);
    }

    static CallTest ofName(Comparison comparison, String name) {
        return new CallTest(Value.THREAD_NAME, 0, Long.SIZE, Sign.UNSIGNED, -1, comparison, 0, name);
    }
}
