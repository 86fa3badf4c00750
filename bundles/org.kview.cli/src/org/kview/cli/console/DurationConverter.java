// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.console;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time as people write it: 500ms, 10s, 2m, 1.5h. */
public final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h)");
    private static final Map<String, Long> UNIT_NANOS = Map.of("ms", 1_000_000L, "s", 1_000_000_000L,
            "m", 60_000_000_000L, "h", 3_600_000_000_000L);
    private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(Duration.ofDays(30).toNanos());

    @Override
    public Duration convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is no time such as 500ms, 10s, 2m or 1.5h");
        }
        BigDecimal nanos = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(UNIT_NANOS.get(matcher.group(2))));
        if (nanos.signum() <= 0 || nanos.compareTo(MAX_NANOS) > 0) {
            throw new TypeConversionException("'" + text + "' is not between 1ms and 30 days");
        }
        return Duration.ofNanos(nanos.longValue());
    }
}
