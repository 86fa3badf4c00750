// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;

/**
 * Points of a kernel, or static probes of a file, that a pattern matches.
 *
 * @param names   in the agent's order
 * @param total   how many match, without the limit
 * @param refused those that match as well, and can't be measured
 * @param binary    the file's path, as the process sees it; empty for a kernel's
 * @param notLoaded whether the process does not map that file yet
 */
public record PointNames(List<String> names, int total, List<Refused> refused, String binary, boolean notLoaded) {
    public PointNames {
        names = List.copyOf(names);
        refused = List.copyOf(refused);
    }

    /** One that can't be measured, and why. */
    public record Refused(String name, String reason) {
    }
}
