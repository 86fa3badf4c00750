// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import org.kview.model.Losses;
import org.kview.session.CallCounts;

/**
 * The lines of the interval log that tell what had been counted at the end of an interval, beside times: calls by
 * function, and losses. They are comments, which other readers of such logs, and versions before them, pass over.
 * All counts are since the recording's start, so a line that is lost costs no more than its own interval.
 */
public final class IntervalComments {
    private static final String CALLS = "#[Calls: ";
    private static final String LOSSES = "#[Losses:";
    private static final int ID_DIGITS = 9;
    private static final int COUNT_DIGITS = 18;
    private static final int MOST_COUNTS = 40;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /**
     * A line that was read.
     *
     * @param function whose calls it tells; empty: it tells losses
     * @param endNanos of its interval, since the recording's start
     */
    public record Line(OptionalInt function, long endNanos, Map<String, Long> counts) {
        public CallCounts calls() {
            return new CallCounts(count("calls"), count("abandoned"), count("unfinished"), count("lost"));
        }

        public Losses losses() {
            return new Losses(count("events_dropped"), count("missed_returns"), count("depth_overflows"),
                    count("healed_switches"), count("untracked_threads"), count("unmatched_returns"),
                    count("unaccounted_calls"), count("figures_lost"));
        }

        private long count(String name) {
            return counts.getOrDefault(name, 0L);
        }
    }

    private IntervalComments() {
    }

    /** With its end. */
    public static String calls(int function, long endNanos, CallCounts c) {
        return CALLS + function + end(endNanos) + " calls=" + c.calls() + " abandoned=" + c.abandoned()
                + " unfinished=" + c.unfinished() + " lost=" + c.lost() + "]\n";
    }

    /** With its end. */
    public static String losses(long endNanos, Losses l) {
        return LOSSES + end(endNanos) + " events_dropped=" + l.eventsDropped() + " missed_returns="
                + l.missedReturns() + " depth_overflows=" + l.depthOverflows() + " healed_switches="
                + l.healedSwitches() + " untracked_threads=" + l.untrackedThreads() + " unmatched_returns="
                + l.unmatchedReturns() + " unaccounted_calls=" + l.unaccountedCalls() + " figures_lost="
                + l.figuresLost() + "]\n";
    }

    private static String end(long nanos) {
        return String.format(Locale.ROOT, " end=%d.%09d", nanos / NANOS_PER_SECOND, nanos % NANOS_PER_SECOND);
    }

    /** Empty if the line is another one. Counts of names that are not known are passed over. */
    public static Optional<Line> decode(String text) {
        LineCursor cursor = new LineCursor(text.stripTrailing());
        boolean ofFunction = cursor.has(CALLS);
        if (!ofFunction) {
            cursor.require(LOSSES);
        }
        OptionalInt function = ofFunction ? OptionalInt.of((int) cursor.number(1, ID_DIGITS)) : OptionalInt.empty();
        cursor.require(" end=");
        long seconds = cursor.number(1, ID_DIGITS);
        cursor.require(".");
        long nanos = cursor.number(ID_DIGITS, ID_DIGITS);
        Map<String, Long> counts = new HashMap<>();
        int read = 0;
        while (cursor.has(" ") && read++ < MOST_COUNTS) {
            String name = cursor.before('=');
            long count = cursor.number(1, COUNT_DIGITS);
            if (!isName(name)) {
                return Optional.empty();
            }
            counts.put(name, count);
        }
        cursor.require("]");
        return cursor.isAtEnd() && !counts.isEmpty()
                ? Optional.of(new Line(function, seconds * NANOS_PER_SECOND + nanos, counts)) : Optional.empty();
    }

    private static boolean isName(String text) {
        return text.chars().allMatch(c -> c >= 'a' && c <= 'z' || c == '_');
    }
}
