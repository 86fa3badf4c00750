// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Reads the pieces of a filter; {@link CallFilter} tells how they go together. */
final class FilterParser {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=", "~");
    /** Limits the nesting, because each level takes some of this program's stack. */
    private static final int MOST_NESTED = 100;
    private static final int MOST_TOKENS = 2000;

    private final List<FilterToken> tokens;
    private int at;
    private int nested;

    FilterParser(List<FilterToken> tokens) {
        this.tokens = tokens;
    }

    Predicate<CallRow> parse() throws FilterException {
        if (tokens.size() > MOST_TOKENS) {
            throw new FilterException("more than " + MOST_TOKENS + " words and signs are too many", tokens.get(MOST_TOKENS).column());
        }
        Predicate<CallRow> all = or();
        FilterToken rest = peek();
        if (rest.is(")")) {
            throw new FilterException("this parenthesis closes none", rest.column());
        }
        if (rest.kind() != FilterToken.Kind.END) {
            throw new FilterException(rest.named() + " stands where && or || is expected", rest.column());
        }
        return all;
    }

    private FilterToken peek() {
        return tokens.get(at);
    }

    private FilterToken take() {
        FilterToken token = tokens.get(at);
        // The last token, the end, is never passed.
        at = Math.min(at + 1, tokens.size() - 1);
        return token;
    }

    private boolean takes(String sign) {
        boolean is = peek().is(sign);
        if (is) {
            take();
        }
        return is;
    }

    private Predicate<CallRow> or() throws FilterException {
        Predicate<CallRow> condition = and();
        while (takes("||")) {
            condition = condition.or(and());
        }
        return condition;
    }

    private Predicate<CallRow> and() throws FilterException {
        Predicate<CallRow> condition = not();
        while (takes("&&")) {
            condition = BoundedCondition.both(condition, not());
        }
        return condition;
    }

    private Predicate<CallRow> not() throws FilterException {
        FilterToken first = peek();
        if (!first.is("!") && !first.is("(")) {
            return comparison();
        }
        if (++nested > MOST_NESTED) {
            throw new FilterException("more than " + MOST_NESTED + " parentheses and ! are nested here", first.column());
        }
        take();
        Predicate<CallRow> condition;
        if (first.is("!")) {
            condition = not().negate();
        } else {
            condition = or();
            if (!takes(")")) {
                throw new FilterException(peek().kind() == FilterToken.Kind.END ? "this parenthesis is not closed"
                        : peek().named() + " stands where && or || or a closing parenthesis is expected",
                        peek().kind() == FilterToken.Kind.END ? first.column() : peek().column());
            }
        }
        nested--;
        return condition;
    }

    private Predicate<CallRow> comparison() throws FilterException {
        FilterOperand left = operand();
        FilterToken sign = take();
        if (sign.kind() != FilterToken.Kind.SIGN || !COMPARISONS.contains(sign.text())) {
            throw new FilterException((sign.kind() == FilterToken.Kind.END ? "a comparison is missing, such as > 10ms"
                    : sign.named() + " stands where a comparison is expected: == != < <= > >= or ~"), sign.column());
        }
        return new FilterComparison(left, sign, operand()).condition();
    }

    private FilterOperand operand() throws FilterException {
        FilterToken token = take();
        switch (token.kind()) {
            case WORD, QUOTED -> {
                return FilterOperand.of(token);
            }
            case NUMBER -> {
                boolean unitFollows = peek().kind() == FilterToken.Kind.WORD && CallColumn.of(peek().text()).isEmpty();
                return FilterOperand.number(token, unitFollows ? Optional.of(take()) : Optional.empty());
            }
            default -> throw new FilterException((token.kind() == FilterToken.Kind.END ? "something is missing here: "
                    : token.named() + " stands where ") + "the name of a column or a value "
                    + (token.kind() == FilterToken.Kind.END ? "belongs here" : "is expected"), token.column());
        }
    }
}
