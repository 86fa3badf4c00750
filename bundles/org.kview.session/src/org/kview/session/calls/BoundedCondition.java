// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A condition of which is known that it is true of no call outside of these bounds. */
record BoundedCondition(Predicate<CallRow> condition, List<CallBound> bounds) implements Predicate<CallRow> {
    BoundedCondition {
        bounds = List.copyOf(bounds);
    }

    /** The bounds of any condition: none are known of what was joined by "or", or turned round. */
    static List<CallBound> of(Predicate<CallRow> condition) {
        return condition instanceof BoundedCondition bounded ? bounded.bounds() : List.of();
    }

    /** Both are true, so the bounds of both hold. */
    static Predicate<CallRow> both(Predicate<CallRow> one, Predicate<CallRow> other) {
        List<CallBound> bounds = new ArrayList<>(of(one));
        bounds.addAll(of(other));
        return new BoundedCondition(one.and(other), bounds);
    }

    @Override
    public boolean test(CallRow row) {
        return condition.test(row);
    }

    /** What is added may be anything, so no more is known than what this is. */
    @Override
    public Predicate<CallRow> and(Predicate<? super CallRow> other) {
        return condition.and(other);
    }
}
