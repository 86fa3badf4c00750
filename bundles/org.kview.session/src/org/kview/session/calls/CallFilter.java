// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.List;
import java.util.function.Predicate;

import org.kview.model.SyntaxException;

/**
 * Which calls are wanted, as people write it: {@code wall > 10ms && cause == lock}. Names are looked up and values are read
 * when the filter is parsed, so that for each call only comparisons are left to do. Immutable.
 *
 * <pre>
 *   filter     = and { "||" and }
 *   and        = not { "&&" not }
 *   not        = "!" not | "(" filter ")" | comparison
 *   comparison = operand ( "==" | "!=" | "&lt;" | "&lt;=" | ">" | ">=" | "~" ) operand
 *   operand    = column | number [unit] | "text" | 'text' | cause
 * </pre>
 */
public final class CallFilter {
    /** All calls. */
    public static final CallFilter ALL = new CallFilter(_ -> true);

    private final Predicate<CallRow> condition;

    private CallFilter(Predicate<CallRow> condition) {
        this.condition = condition;
    }

    /**
     * Understands a filter.
     *
     * @throws SyntaxException if that is not possible; it says what is wrong, and where
     */
    public static CallFilter parse(String text) throws SyntaxException {
        return new CallFilter(new FilterParser(FilterToken.of(text)).parse());
    }

    /** Bounds that rule out calls which are not wanted. */
    List<CallBound> bounds() {
        return BoundedCondition.of(condition);
    }

    boolean wants(CallRow row) {
        return condition.test(row);
    }
}
