// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A whole number of 64 bits, with or without a sign.
 *
 * @param column where it stands
 */
record ConditionNumber(BigInteger value, int column) {
    private static final Pattern FORM = Pattern.compile("(-?)(?:0[xX]([0-9a-fA-F]{1,16})|([0-9]{1,20}))");
    private static final int HEXADECIMAL = 16;

    static ConditionNumber of(ConditionToken token) throws SyntaxException {
        Matcher form = FORM.matcher(token.text());
        if (token.kind() != ConditionToken.Kind.NUMBER || !form.matches()) {
            throw new SyntaxException(token.kind() == ConditionToken.Kind.END ? "a number is missing here"
                    : token.named() + " is no whole number, such as 4096 or 0x1000", token.column());
        }
        BigInteger digits = form.group(2) != null ? new BigInteger(form.group(2), HEXADECIMAL) : new BigInteger(form.group(3));
        BigInteger value = form.group(1).isEmpty() ? digits : digits.negate();
        if (value.signum() < 0 ? value.bitLength() >= Long.SIZE : value.bitLength() > Long.SIZE) {
            throw new SyntaxException("'" + token.text() + "' has more than 64 bits", token.column());
        }
        return new ConditionNumber(value, token.column());
    }

    boolean isNegative() {
        return value.signum() < 0;
    }

    /** In two's complement. */
    long bits() {
        return value.longValue();
    }
}
