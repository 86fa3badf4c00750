// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A condition, and bounds: it is true of no call that is outside of them. */
record BoundedCondition(Predicate<CallRow> condition, List<CallBound> bounds) implements Predicate<CallRow> {
    BoundedCondition {
        bounds = List.copyOf(bounds);
    }

    /** The bounds of any condition. None are known for conditions that are joined by "or", or negated. */
    static List<CallBound> of(Predicate<CallRow> condition) {
        return condition instanceof BoundedCondition bounded ? bounded.bounds() : List.of();
    }

    /** Both conditions must be true, so the bounds of both apply. */
    static Predicate<CallRow> both(Predicate<CallRow> one, Predicate<CallRow> other) {
        List<CallBound> bounds = new ArrayList<>(of(one));
        bounds.addAll(of(other));
        return new BoundedCondition(one.and(other), bounds);
    }

    @Override
    public boolean test(CallRow row) {
        return condition.test(row);
    }

    /** Another condition that must be true as well can only rule out more calls, so these bounds stay right. */
    @Override
    public Predicate<CallRow> and(Predicate<? super CallRow> other) {
        return condition.and(other);
    }
}
