// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.List;
import java.util.Optional;

/** Reads a condition; {@link CallCondition} tells what one looks like. */
final class ConditionParser {
    private static final int MOST_CHARACTERS = 2000;
    /** Each level takes some of this program's stack. */
    private static final int MOST_NESTED = 50;

    private final List<ConditionToken> tokens;
    private int at;
    private int nested;

    ConditionParser(String text) throws ConditionException {
        if (text.length() > MOST_CHARACTERS) {
            throw new ConditionException("a condition of more than " + MOST_CHARACTERS + " characters is too long", MOST_CHARACTERS + 1);
        }
        tokens = ConditionToken.of(text);
    }

    ConditionTerm parse() throws ConditionException {
        ConditionTerm all = or();
        ConditionToken rest = peek();
        if (rest.kind() != ConditionToken.Kind.END) {
            throw new ConditionException(rest.is(")") ? "this parenthesis closes none"
                    : rest.named() + " stands where && or || is expected", rest.column());
        }
        return all;
    }

    private ConditionToken peek() {
        return tokens.get(at);
    }

    private ConditionToken take() {
        ConditionToken token = tokens.get(at);
        // The last one, the end, is never passed.
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

    private ConditionTerm or() throws ConditionException {
        ConditionTerm term = and();
        while (takes("||")) {
            term = new ConditionTerm.Either(term, and());
        }
        return term;
    }

    private ConditionTerm and() throws ConditionException {
        ConditionTerm term = not();
        while (takes("&&")) {
            term = new ConditionTerm.Both(term, not());
        }
        return term;
    }

    private ConditionTerm not() throws ConditionException {
        ConditionToken first = peek();
        boolean isGroup = first.is("(") && typeAt(at + 1).isEmpty();
        if (!first.is("!") && !isGroup) {
            return comparison();
        }
        if (++nested > MOST_NESTED) {
            throw new ConditionException("more than " + MOST_NESTED + " parentheses and ! are nested here", first.column());
        }
        take();
        ConditionTerm term;
        if (isGroup) {
            term = or();
            close(first);
        } else {
            term = new ConditionTerm.Not(not());
        }
        nested--;
        return term;
    }

    private void close(ConditionToken opened) throws ConditionException {
        if (!takes(")")) {
            throw new ConditionException(peek().kind() == ConditionToken.Kind.END ? "this parenthesis is not closed"
                    : peek().named() + " stands where && or || or a closing parenthesis is expected",
                    peek().kind() == ConditionToken.Kind.END ? opened.column() : peek().column());
        }
    }

    /** The type that is named there, if a parenthesis closes behind it: "unsigned" may have another one after it. */
    private Optional<ConditionType> typeAt(int index) {
        StringBuilder name = new StringBuilder();
        int i = index;
        while (i < tokens.size() && tokens.get(i).kind() == ConditionToken.Kind.WORD) {
            name.append(name.isEmpty() ? "" : " ").append(tokens.get(i++).text());
        }
        return i < tokens.size() && tokens.get(i).is(")") ? ConditionType.of(name.toString()) : Optional.empty();
    }

    private ConditionTerm comparison() throws ConditionException {
        Optional<ConditionType> type = Optional.empty();
        if (takes("(")) {
            type = typeAt(at);
            while (!takes(")")) {
                take();
            }
        }
        ConditionOperand operand = ConditionOperand.of(take(), type);
        Optional<ConditionNumber> mask = Optional.empty();
        if (takes("&")) {
            mask = Optional.of(ConditionNumber.of(take()));
        }
        Optional<CallTest.Comparison> comparison = sign();
        if (comparison.isEmpty() && mask.isPresent()) {
            return new ConditionTerm.Comparison(operand.hasSome(mask.get()));
        }
        ConditionToken sign = take();
        if (comparison.isEmpty()) {
            throw new ConditionException(sign.kind() == ConditionToken.Kind.END ? "a comparison is missing, such as > 4096"
                    : sign.named() + " stands where a comparison is expected: == != < <= > or >=", sign.column());
        }
        return new ConditionTerm.Comparison(operand.compared(comparison.get(), sign, take(), mask));
    }

    private Optional<CallTest.Comparison> sign() {
        for (CallTest.Comparison comparison : CallTest.Comparison.values()) {
            if (peek().is(comparison.text())) {
                return Optional.of(comparison);
            }
        }
        return Optional.empty();
    }
}
