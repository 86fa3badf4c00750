// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.time.Duration;

/**
 * What to survey.
 *
 * @param pid              the process
 * @param startTimeNanos   when it began, so that a later process with the same number is not surveyed; 0 if not known
 * @param duration         for how long
 * @param samplesPerSecond how often a CPU is sampled on which it runs; 0 for the agent's own choice
 */
public record SurveySpec(long pid, long startTimeNanos, Duration duration, int samplesPerSecond) {
    /** What a survey takes if nothing else is asked for. */
    public static final Duration USUAL = Duration.ofSeconds(5);
    /** The agent's limits. */
    public static final Duration LONGEST = Duration.ofMinutes(10);
    public static final int MOST_SAMPLES_PER_SECOND = 4999;
}
