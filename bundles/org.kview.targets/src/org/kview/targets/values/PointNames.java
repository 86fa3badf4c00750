// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;

/**
 * Points of a kernel that a pattern matches.
 *
 * @param names in the agent's order
 * @param total how many match, without the limit
 */
public record PointNames(List<String> names, int total) {
    public PointNames {
        names = List.copyOf(names);
    }
}
