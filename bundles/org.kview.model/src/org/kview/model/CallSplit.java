// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Objects;

/**
 * By which value of its calls a function's figures are split, as a user writes it: as what a {@link CallCondition} compares.
 *
 * <pre>
 * arg1                              an argument
 * (int) retval                      by its lowest bits
 * arg2 & 0xf0                       by some bits of it
 * comm                              the name of the thread
 * tid                               its number
 * </pre>
 *
 * @param text     as it was written
 * @param argument which one, of {@link CallTest.Value#ARGUMENT}; else 0
 * @param bits     how many of a register's lowest bits are the number
 * @param sign     how they are a number of 64 bits
 * @param mask     the bits of that which tell values apart
 */
public record CallSplit(String text, CallTest.Value value, int argument, int bits, CallTest.Sign sign, long mask) {
    public CallSplit {
        Objects.requireNonNull(text);
        Objects.requireNonNull(value);
        Objects.requireNonNull(sign);
    }

    /** @throws SyntaxException if that is no value */
    public static CallSplit parse(String text) throws SyntaxException {
        return new ConditionParser(text).parseSplit(text.strip());
    }

    @Override
    public String toString() {
        return text;
    }
}
