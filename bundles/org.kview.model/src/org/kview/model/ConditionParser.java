// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.List;
import java.util.Optional;

/** Reads a condition; {@link CallCondition} tells what one looks like. */
final class ConditionParser extends BooleanParser<ConditionToken, ConditionTerm> {
    private static final int MOST_CHARACTERS = 2000;
    private static final int MOST_NESTED = 50;

    ConditionParser(String text) throws SyntaxException {
        super(pieces(text), MOST_NESTED);
    }

    private static List<ConditionToken> pieces(String text) throws SyntaxException {
        if (text.length() > MOST_CHARACTERS) {
            throw new SyntaxException("a condition of more than " + MOST_CHARACTERS + " characters is too long", MOST_CHARACTERS + 1);
        }
        return ConditionToken.of(text);
    }

    ConditionTerm parse() throws SyntaxException {
        return parseAll();
    }

    @Override
    protected ConditionTerm either(ConditionTerm one, ConditionTerm other) {
        return new ConditionTerm.Either(one, other);
    }

    @Override
    protected ConditionTerm both(ConditionTerm one, ConditionTerm other) {
        return new ConditionTerm.Both(one, other);
    }

    @Override
    protected ConditionTerm not(ConditionTerm one) {
        return new ConditionTerm.Not(one);
    }

    @Override
    protected boolean opensGroup() {
        return typeAt(1).isEmpty();
    }

    /** The type that is named so many pieces ahead, if a parenthesis closes behind it: "unsigned" may have another one after it. */
    private Optional<ConditionType> typeAt(int ahead) {
        StringBuilder name = new StringBuilder();
        int i = ahead;
        for (; peek(i).kind() == ConditionToken.Kind.WORD; i++) {
            name.append(name.isEmpty() ? "" : " ").append(peek(i).text());
        }
        return peek(i).is(")") ? ConditionType.of(name.toString()) : Optional.empty();
    }

    /** Reads all of it as what a comparison has on its left. */
    CallSplit parseSplit(String text) throws SyntaxException {
        ConditionOperand operand = operand();
        CallSplit split = operand.split(text, mask());
        if (!peek().isEnd()) {
            throw new SyntaxException(peek().named() + " stands behind the value, such as arg1, (int) retval or comm", peek().column());
        }
        return split;
    }

    private ConditionOperand operand() throws SyntaxException {
        Optional<ConditionType> type = Optional.empty();
        if (peek().is("(") && typeAt(1).isPresent()) {
            take();
            type = typeAt(0);
            while (!takes(")")) {
                take();
            }
        }
        return ConditionOperand.of(take(), type);
    }

    private Optional<ConditionNumber> mask() throws SyntaxException {
        return takes("&") ? Optional.of(ConditionNumber.of(take())) : Optional.empty();
    }

    @Override
    protected ConditionTerm comparison() throws SyntaxException {
        ConditionOperand operand = operand();
        Optional<ConditionNumber> mask = mask();
        Optional<CallTest.Comparison> comparison = sign();
        if (comparison.isEmpty() && mask.isPresent()) {
            return new ConditionTerm.Comparison(operand.hasSome(mask.get()));
        }
        ConditionToken sign = take();
        if (comparison.isEmpty()) {
            throw new SyntaxException(sign.kind() == ConditionToken.Kind.END ? "a comparison is missing, such as > 4096"
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
