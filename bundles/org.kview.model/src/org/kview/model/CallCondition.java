// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.List;

/**
 * Which calls of a function are measured, as a user writes it:
 *
 * <pre>
 * arg0 > 4096                       the first argument, to arg5: integers and pointers, as they are in registers
 * retval < 0                        what the call returns
 * comm == "worker-1"                the name of its thread
 * tid == 4711                       the number of its thread
 * (int) arg1 == -1                  by the lowest bits: int8 to int64, uint8 to uint64, int, unsigned, long
 * arg2 & 0x40                       some bit of these is set
 * arg0 > 4096 && (retval < 0 || !(arg2 & 0x40))
 * </pre>
 *
 * Without a type a value is a signed number of 64 bits. Where it is about what is below 0, as with {@code retval} and with numbers that
 * are, a value whose upper half is 0 counts as an int: see {@link CallTest.Sign#SIGNED_INT}.
 *
 * @param text  as it was written
 * @param steps the first one comes first; those of what calls return come behind all others
 */
public record CallCondition(String text, List<Step> steps) {
    /** What an agent takes at most. */
    public static final int MOST_STEPS = 32;
    /** What comes next where the call is to be measured, and where it is not. */
    public static final int MATCHES = 32;
    public static final int DIFFERS = 33;

    /**
     * A comparison and what comes next.
     *
     * @param ifTrue  the number of a later step, {@link #MATCHES} or {@link #DIFFERS}
     * @param ifFalse likewise
     */
    public record Step(CallTest test, int ifTrue, int ifFalse) {
    }

    public CallCondition {
        steps = List.copyOf(steps);
        if (steps.isEmpty() || steps.size() > MOST_STEPS) {
            throw new IllegalArgumentException("A condition of " + steps.size() + " steps");
        }
    }

    /** @throws SyntaxException if that is no condition */
    public static CallCondition parse(String text) throws SyntaxException {
        return new CallCondition(text.strip(), ConditionSteps.of(new ConditionParser(text).parse(), text.length()));
    }

    /** Whether it depends on what calls return, and so is decided when they have ended. */
    public boolean isDecidedAtEnd() {
        return steps.stream().anyMatch(step -> step.test().value() == CallTest.Value.RETURNED);
    }

    @Override
    public String toString() {
        return text;
    }
}
