// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.kview.model.SyntaxException;

/**
 * A number, or a time.
 *
 * @param value   in ns if it is a time
 * @param hasUnit whether it is one
 */
record FilterNumber(long value, boolean hasUnit) {
    private static final Map<String, Long> UNITS = Map.of("ns", 1L, "us", 1_000L, "\u00b5s", 1_000L, "\u03bcs", 1_000L,
            "ms", 1_000_000L, "s", 1_000_000_000L);
    private static final Pattern FORM = Pattern.compile("(-?(?:[0-9]+(?:\\.[0-9]+)?|\\.[0-9]+))(\\D*)");
    private static final int MOST_DIGITS = 40;
    /** 292 years. {@link CallColumn#ABSENT} is less than any number that a filter can contain. */
    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

    /** @param unit that stands behind it after a blank */
    static FilterNumber of(FilterToken token, Optional<FilterToken> unit) throws SyntaxException {
        Matcher form = FORM.matcher(token.text());
        if (token.text().length() > MOST_DIGITS || !form.matches()) {
            throw new SyntaxException("'" + token.text() + "' is no number", token.column());
        }
        String written = form.group(2) + unit.map(FilterToken::text).orElse("");
        if (!written.isEmpty() && !UNITS.containsKey(written)) {
            throw new SyntaxException("'" + written + "' is no unit: ns, us, ms and s are",
                    form.group(2).isEmpty() ? unit.orElseThrow().column() : token.column() + form.start(2));
        }
        BigDecimal value = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(UNITS.getOrDefault(written, 1L)));
        if (value.stripTrailingZeros().scale() > 0) {
            throw new SyntaxException("'" + token.text() + "' is no whole number" + (written.isEmpty() ? "" : " of ns"),
                    token.column());
        }
        if (value.abs().compareTo(MOST) > 0) {
            throw new SyntaxException("'" + token.text() + "' is larger than any", token.column());
        }
        return new FilterNumber(value.longValueExact(), !written.isEmpty());
    }
}
