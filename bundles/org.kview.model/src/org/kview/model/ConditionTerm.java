// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

/** A condition as it is written: comparisons, and how they go together. */
sealed interface ConditionTerm {
    record Constant(boolean holds) implements ConditionTerm {
    }

    record Comparison(CallTest test) implements ConditionTerm {
    }

    record Not(ConditionTerm term) implements ConditionTerm {
    }

    record Both(ConditionTerm one, ConditionTerm other) implements ConditionTerm {
    }

    record Either(ConditionTerm one, ConditionTerm other) implements ConditionTerm {
    }

    /** What is left of it where it is known whether a test holds. */
    default ConditionTerm given(CallTest test, boolean holds) {
        return switch (this) {
            case Constant constant -> constant;
            case Comparison comparison -> comparison.test.equals(test) ? new Constant(holds) : comparison;
            case Not(ConditionTerm term) -> {
                ConditionTerm left = term.given(test, holds);
                yield left instanceof Constant(boolean is) ? new Constant(!is) : new Not(left);
            }
            case Both(ConditionTerm one, ConditionTerm other) -> {
                ConditionTerm first = one.given(test, holds);
                ConditionTerm second = other.given(test, holds);
                yield first instanceof Constant(boolean is) ? is ? second : first
                        : second instanceof Constant(boolean is) ? is ? first : second : new Both(first, second);
            }
            case Either(ConditionTerm one, ConditionTerm other) -> {
                ConditionTerm first = one.given(test, holds);
                ConditionTerm second = other.given(test, holds);
                yield first instanceof Constant(boolean is) ? is ? first : second
                        : second instanceof Constant(boolean is) ? is ? second : first : new Either(first, second);
            }
        };
    }
}
