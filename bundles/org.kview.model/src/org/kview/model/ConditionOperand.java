// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import org.kview.model.CallTest.Comparison;
import org.kview.model.CallTest.Sign;
import org.kview.model.CallTest.Value;

/** What is compared, on the left. */
record ConditionOperand(Value value, int argument, Optional<ConditionType> type) {
    private static final long ALL_BITS = -1;
    private static final int TID_BITS = 32;

    static ConditionOperand of(ConditionToken token, Optional<ConditionType> type) throws SyntaxException {
        String word = token.kind() == ConditionToken.Kind.WORD ? token.text() : "";
        if (word.matches("arg[0-9]{1,3}")) {
            int argument = Integer.parseInt(word.substring(3));
            if (argument >= CallTest.ARGUMENTS) {
                throw new SyntaxException("'" + word + "' is in no register: arg0 to arg5 are", token.column());
            }
            return new ConditionOperand(Value.ARGUMENT, argument, type);
        }
        Value value = switch (word) {
            case "retval" -> Value.RETURNED;
            case "tid" -> Value.TID;
            case "comm" -> Value.THREAD_NAME;
            default -> throw new SyntaxException((token.kind() == ConditionToken.Kind.END ? "something is missing here: "
                    : token.named() + " is nothing that a call has: ") + "arg0 to arg5, retval, comm or tid", token.column());
        };
        if (type.isPresent() && value != Value.RETURNED) {
            throw new SyntaxException("'" + word + "' has a type of its own", token.column());
        }
        return new ConditionOperand(value, 0, type);
    }

    /** By what it is alone. */
    CallSplit split(String text, Optional<ConditionNumber> mask) throws SyntaxException {
        CallTest test = value == Value.THREAD_NAME && mask.isEmpty() ? CallTest.ofName(Comparison.EQUAL, "")
                : test(Comparison.EQUAL, 0, Sign.UNSIGNED, mask);
        Sign sign = value == Value.TID || value == Value.THREAD_NAME ? Sign.UNSIGNED : type.map(t -> t.isSigned() ? Sign.SIGNED : Sign.UNSIGNED)
                .orElse(mask.isPresent() ? Sign.UNSIGNED : value == Value.RETURNED ? Sign.SIGNED_INT : Sign.SIGNED);
        return new CallSplit(text, value, argument, test.bits(), sign, test.mask());
    }

    /** Whether it has some bit of a mask. */
    CallTest hasSome(ConditionNumber mask) throws SyntaxException {
        return test(Comparison.DIFFERENT, 0, sign(Comparison.DIFFERENT, Optional.empty()), Optional.of(mask));
    }

    CallTest compared(Comparison comparison, ConditionToken sign, ConditionToken with, Optional<ConditionNumber> mask)
            throws SyntaxException {
        if (value == Value.THREAD_NAME) {
            return CallTest.ofName(byName(comparison, sign, mask), name(with));
        }
        if (with.kind() == ConditionToken.Kind.QUOTED) {
            throw new SyntaxException("a text is no number: only comm is compared with one", with.column());
        }
        ConditionNumber number = ConditionNumber.of(with);
        ConditionType numbers = type.orElse(new ConditionType(Long.SIZE, number.isNegative()));
        if (value == Value.TID ? number.isNegative() || number.value().bitLength() > TID_BITS : !numbers.holds(number)) {
            throw new SyntaxException("'" + with.text() + "' is no number that it can be", with.column());
        }
        if (mask.isPresent() && number.isNegative()) {
            throw new SyntaxException("what a mask leaves is not below 0", with.column());
        }
        return test(comparison, number.bits(), mask.isPresent() && type.isEmpty() ? Sign.UNSIGNED : sign(comparison, Optional.of(number)), mask);
    }

    private CallTest test(Comparison comparison, long number, Sign sign, Optional<ConditionNumber> mask) throws SyntaxException {
        if (value == Value.THREAD_NAME) {
            throw new SyntaxException("a thread's name has no bits", mask.orElseThrow().column());
        }
        if (mask.isPresent() && mask.get().isNegative()) {
            throw new SyntaxException("a mask is not below 0", mask.get().column());
        }
        int bits = value == Value.TID ? TID_BITS : type.map(ConditionType::bits).orElse(Long.SIZE);
        return new CallTest(value, argument, bits, sign, mask.map(ConditionNumber::bits).orElse(ALL_BITS), comparison, number, "");
    }

    /** Without a type it is that of an int where that makes a difference below 0, and where an int can be the number. */
    private Sign sign(Comparison comparison, Optional<ConditionNumber> number) {
        if (value == Value.TID || number.isEmpty()) {
            return Sign.UNSIGNED;
        }
        if (type.isPresent()) {
            return type.get().isSigned() ? Sign.SIGNED : Sign.UNSIGNED;
        }
        boolean isInt = number.get().value().bitLength() < Integer.SIZE;
        boolean isOfSign = value == Value.RETURNED || number.get().isNegative()
                || comparison.isByOrder() && number.get().value().signum() == 0;
        return isInt && isOfSign ? Sign.SIGNED_INT : number.get().value().bitLength() < Long.SIZE ? Sign.SIGNED : Sign.UNSIGNED;
    }

    private static Comparison byName(Comparison comparison, ConditionToken sign, Optional<ConditionNumber> mask) throws SyntaxException {
        if (comparison.isByOrder() || mask.isPresent()) {
            throw new SyntaxException("names have no order and no bits: write comm == or comm !=", sign.column());
        }
        return comparison;
    }

    private static String name(ConditionToken token) throws SyntaxException {
        if (token.kind() != ConditionToken.Kind.QUOTED) {
            throw new SyntaxException((token.kind() == ConditionToken.Kind.END ? "a name is missing here"
                    : token.named() + " is no text in quotes") + ", as in comm == \"worker-1\"", token.column());
        }
        if (token.text().indexOf('\0') >= 0 || token.text().getBytes(StandardCharsets.UTF_8).length > CallTest.NAME_BYTES) {
            throw new SyntaxException("a thread's name has at most " + CallTest.NAME_BYTES + " bytes", token.column());
        }
        return token.text();
    }
}
