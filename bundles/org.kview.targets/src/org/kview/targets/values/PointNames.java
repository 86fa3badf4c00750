// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;

/**
 * Points of a kernel that a pattern matches.
 *
 * @param names   in the agent's order
 * @param total   how many match, without the limit
 * @param refused those that match as well, and can't be measured
 */
public record PointNames(List<String> names, int total, List<Refused> refused) {
    public PointNames {
        names = List.copyOf(names);
        refused = List.copyOf(refused);
    }

    /** One that can't be measured, and why. */
    public record Refused(String name, String reason) {
    }
}
