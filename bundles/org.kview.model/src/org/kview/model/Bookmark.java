// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Objects;
import java.util.Optional;

/**
 * A place in a session that someone wants to find again.
 *
 * @param text     what can be seen there; may be empty
 * @param function the function that it is about; empty if none in particular
 * @param range    the time; empty for the whole recording
 */
public record Bookmark(String text, Optional<Function> function, Optional<Range> range) {

    public Bookmark {
        Objects.requireNonNull(text);
        Objects.requireNonNull(function);
        Objects.requireNonNull(range);
    }

    /**
     * A function, identified by what stays the same from one recording to the next; its id does not.
     *
     * @param name   as in {@link ProbedFunction#name()}
     * @param binary as in {@link ProbePoint#binary()}
     */
    public record Function(String name, String binary) {
        public static Function of(ProbedFunction probed) {
            return new Function(probed.name(), probed.point().binary());
        }

        public boolean is(ProbedFunction probed) {
            return of(probed).equals(this);
        }
    }

    /**
     * A range of time, like the times of a trace's events: ns since the epoch, on the clock of the traced host.
     *
     * @param beginNanos the first instant
     * @param endNanos   the last instant; equal to the first one for a single moment
     */
    public record Range(long beginNanos, long endNanos) {
        public Range {
            if (endNanos < beginNanos) {
                throw new IllegalArgumentException("The range ends at " + endNanos + ", before it begins");
            }
        }
    }
}
