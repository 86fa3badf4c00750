// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import org.kview.model.BooleanParser;
import org.kview.model.SyntaxException;

/** Reads the pieces of a filter; {@link CallFilter} tells how they go together. */
final class FilterParser extends BooleanParser<FilterToken, Predicate<CallRow>> {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=", "~");
    private static final int MOST_NESTED = 100;
    private static final int MOST_TOKENS = 2000;

    private final List<FilterToken> tokens;

    FilterParser(List<FilterToken> tokens) {
        super(tokens, MOST_NESTED);
        this.tokens = tokens;
    }

    Predicate<CallRow> parse() throws SyntaxException {
        if (tokens.size() > MOST_TOKENS) {
            throw new SyntaxException("more than " + MOST_TOKENS + " words and signs are too many", tokens.get(MOST_TOKENS).column());
        }
        return parseAll();
    }

    @Override
    protected Predicate<CallRow> either(Predicate<CallRow> one, Predicate<CallRow> other) {
        return one.or(other);
    }

    @Override
    protected Predicate<CallRow> both(Predicate<CallRow> one, Predicate<CallRow> other) {
        return BoundedCondition.both(one, other);
    }

    @Override
    protected Predicate<CallRow> not(Predicate<CallRow> one) {
        return one.negate();
    }

    @Override
    protected Predicate<CallRow> comparison() throws SyntaxException {
        FilterOperand left = operand();
        FilterToken sign = take();
        if (sign.kind() != FilterToken.Kind.SIGN || !COMPARISONS.contains(sign.text())) {
            throw new SyntaxException((sign.kind() == FilterToken.Kind.END ? "a comparison is missing, such as > 10ms"
                    : sign.named() + " stands where a comparison is expected: == != < <= > >= or ~"), sign.column());
        }
        return new FilterComparison(left, sign, operand()).condition();
    }

    private FilterOperand operand() throws SyntaxException {
        FilterToken token = take();
        switch (token.kind()) {
            case WORD, QUOTED -> {
                return FilterOperand.of(token);
            }
            case NUMBER -> {
                boolean unitFollows = peek().kind() == FilterToken.Kind.WORD && CallColumn.of(peek().text()).isEmpty();
                return FilterOperand.number(token, unitFollows ? Optional.of(take()) : Optional.empty());
            }
            default -> throw new SyntaxException((token.kind() == FilterToken.Kind.END ? "something is missing here: "
                    : token.named() + " stands where ") + "the name of a column or a value "
                    + (token.kind() == FilterToken.Kind.END ? "belongs here" : "is expected"), token.column());
        }
    }
}
