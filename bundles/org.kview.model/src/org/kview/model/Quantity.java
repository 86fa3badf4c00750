// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What is counted within calls beside their time, as the agent that counts it describes it.
 *
 * @param id    by which files and messages name it
 * @param title for people: "minor page faults"
 * @param of    of what each number is, in the plural, such as "requests" that calls made; empty: of calls
 */
public record Quantity(String id, String title, Unit unit, String of) {
    /** Of a function: what an agent tells of at most. */
    public static final int MOST = 64;
    private static final Pattern ID = Pattern.compile("[a-z][a-z0-9_]{0,39}");
    private static final int LONGEST_TITLE = 60;
    private static final double TENTHS_BELOW = 9.95;
    private static final double LEAST_SHOWN = 0.005;
    private static final double HALF = 0.5;

    /** Of what its numbers are. */
    public enum Unit {
        COUNT, BYTES, NANOSECONDS;

        /** In files and reports. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static Optional<Unit> ofId(String id) {
            return Stream.of(values()).filter(unit -> unit.id().equals(id)).findFirst();
        }
    }

    /** Of calls. */
    public Quantity(String id, String title, Unit unit) {
        this(id, title, unit, "");
    }

    public Quantity {
        Objects.requireNonNull(unit);
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("No name of what is counted within calls: " + SafeText.line(id, LONGEST_TITLE));
        }
        of = SafeText.line(of, LONGEST_TITLE);
        title = SafeText.line(title.isBlank() ? id : title, LONGEST_TITLE);
    }

    /** A number of it, for people: "18,204", "2.3 MiB", "1.93 ms". What is not 0 doesn't look like it: "<0.01". */
    public String text(double value) {
        return switch (unit) {
            case COUNT -> value > 0 && value < LEAST_SHOWN ? "<0.01" : value == Math.rint(value) || Math.abs(value) >= TENTHS_BELOW ? LatencyFormat.count(Math.round(value))
                    : LatencyFormat.fixed(value, Math.abs(value) < 1 ? 2 : 1);
            case BYTES -> value > 0 && value < HALF ? "<1 B" : ByteFormat.bytes(Math.round(value));
            case NANOSECONDS -> value > 0 && value < HALF ? "<1 ns" : LatencyFormat.nanos(value);
        };
    }
}
