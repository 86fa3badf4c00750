// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;

/**
 * The processes of a target at one moment.
 *
 * @param instantNanos the host's CLOCK_MONOTONIC when the list began to be read; 0 if the agent does not say
 * @param processes    by pid
 */
public record ProcessList(long instantNanos, List<ProcessInfo> processes) {
    public ProcessList {
        processes = List.copyOf(processes);
    }
}
