// SPDX-License-Identifier: EPL-2.0
package org.kview.session;

import org.kview.model.FunctionInterval;

/**
 * What had become of a function's calls at the end of an interval, all since the recording's start.
 *
 * @param calls      entries
 * @param abandoned  left in a way that no probe sees: by an exception, longjmp or hand-written code
 * @param unfinished still running when their thread or the recording ended
 * @param lost       counted and not timed, for any reason; 0 also where the agent does not say
 */
public record CallCounts(long calls, long abandoned, long unfinished, long lost) {
    public static CallCounts of(FunctionInterval part) {
        return new CallCounts(part.calls(), part.abandoned(), part.unfinished(),
                part.fates().map(fates -> fates.lost().total()).orElse(0L));
    }
}
