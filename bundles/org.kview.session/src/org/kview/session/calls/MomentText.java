// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times of day to the nanosecond, in UTC. Many follow each other within a second. Not safe for use by several threads. */
final class MomentText {
    private static final long SECOND = 1_000_000_000L;

    private final DateTimeFormatter form;
    private final String end;
    private long second = Long.MIN_VALUE;
    private String text = "";

    private MomentText(String pattern, String end) {
        form = DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
        this.end = end;
    }

    /** "02:51:31.881646785". */
    static MomentText ofDay() {
        return new MomentText("HH:mm:ss", "");
    }

    /** "2026-11-21T02:51:31.881646785Z". */
    static MomentText iso() {
        return new MomentText("uuuu-MM-dd'T'HH:mm:ss", "Z");
    }

    /** @param epochNanos ns since 1970 */
    String of(long epochNanos) {
        long its = Math.floorDiv(epochNanos, SECOND);
        if (its != second) {
            second = its;
            text = form.format(Instant.ofEpochSecond(its)) + ".";
        }
        return text + Decimals.padded(Math.floorMod(epochNanos, SECOND), 9) + end;
    }
}
