/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.kview.model.Losses;

/**
 * The lines of the interval log that tell what had been counted at the end of an interval, beside times: calls by
 * function, and losses. They are comments, which other readers of such logs, and versions before them, pass over.
 * All counts are since the recording's start, so a line that is lost costs no more than its own interval.
 */
final class IntervalComments {
    private static final Pattern LINE = Pattern
            .compile("#\\[(Calls: ([0-9]{1,9})|Losses:) end=([0-9]{1,9})\\.([0-9]{9})((?: [a-z_]+=[0-9]{1,18}){1,40})]");
    private static final Pattern COUNT = Pattern.compile("([a-z_]+)=([0-9]+)");
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /**
     * A line that was read.
     *
     * @param function whose calls it tells; empty: it tells losses
     * @param endNanos of its interval, since the recording's start
     */
    record Line(OptionalInt function, long endNanos, Map<String, Long> counts) {
        CallCounts calls() {
            return new CallCounts(count("calls"), count("abandoned"), count("unfinished"), count("lost"));
        }

        Losses losses() {
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
    static String calls(int function, long endNanos, CallCounts c) {
        return "#[Calls: " + function + end(endNanos) + " calls=" + c.calls() + " abandoned=" + c.abandoned()
                + " unfinished=" + c.unfinished() + " lost=" + c.lost() + "]\n";
    }

    /** With its end. */
    static String losses(long endNanos, Losses l) {
        return "#[Losses:" + end(endNanos) + " events_dropped=" + l.eventsDropped() + " missed_returns="
                + l.missedReturns() + " depth_overflows=" + l.depthOverflows() + " healed_switches="
                + l.healedSwitches() + " untracked_threads=" + l.untrackedThreads() + " unmatched_returns="
                + l.unmatchedReturns() + " unaccounted_calls=" + l.unaccountedCalls() + " figures_lost="
                + l.figuresLost() + "]\n";
    }

    private static String end(long nanos) {
        return String.format(Locale.ROOT, " end=%d.%09d", nanos / NANOS_PER_SECOND, nanos % NANOS_PER_SECOND);
    }

    /** Empty if the line is another one. Counts of names that are not known are passed over. */
    static Optional<Line> decode(String text) {
        Matcher matcher = LINE.matcher(text.stripTrailing());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Map<String, Long> counts = new HashMap<>();
        for (Matcher count = COUNT.matcher(matcher.group(5)); count.find();) {
            counts.put(count.group(1), Long.parseLong(count.group(2)));
        }
        return Optional.of(new Line(matcher.group(2) == null ? OptionalInt.empty()
                : OptionalInt.of(Integer.parseInt(matcher.group(2))),
                Long.parseLong(matcher.group(3)) * NANOS_PER_SECOND + Long.parseLong(matcher.group(4)), counts));
    }
}
