// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.time.Duration;

/**
 * Of which calls to follow the way through the kernel.
 *
 * @param pid            the process
 * @param startTimeNanos when it began, so that a later process with the same number is not followed; 0 if not known
 * @param systemCall     its name, such as "read"
 * @param duration       for how long
 * @param slowest        how many calls are kept, the slowest
 */
public record FlowSpec(long pid, long startTimeNanos, String systemCall, Duration duration, int slowest) {
    /** What it takes if nothing else is asked for. */
    public static final Duration USUAL = Duration.ofSeconds(5);
    public static final int USUAL_SLOWEST = 5;
    /** The agent's limits. */
    public static final Duration LONGEST = Duration.ofMinutes(10);
    public static final int MOST_SLOWEST = 100;
}
