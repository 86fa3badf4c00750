// SPDX-License-Identifier: EPL-2.0
package org.kview.target;

import java.time.Duration;
import java.util.List;

/**
 * What to record of a process.
 *
 * @param pid       which
 * @param functions to be probed; their place in the list becomes their id
 * @param events    whether each call and each switch is kept as an event too
 * @param filter    how other processes are told apart
 * @param interval  between two {@link RecordingListener#interval}s; zero for the agent's own, 500 ms
 */
public record RecordingSpec(long pid, List<FunctionInfo> functions, boolean events, Filter filter,
        Duration interval) {
    public RecordingSpec {
        functions = List.copyOf(functions);
        if (functions.isEmpty() || interval.isNegative()) {
            throw new IllegalArgumentException("A recording needs a function, and an interval that is not negative");
        }
    }
}
