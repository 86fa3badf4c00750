// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;

/**
 * The functions that a query found.
 *
 * @param functions sorted by name; includes those that can't be probed, with the reason
 * @param total     how many functions match, without the limit
 * @param binary    resolved path, as the process sees it
 * @param buildId   hex; empty if none
 * @param notLoaded whether the process does not map the binary yet: calls are seen as soon as it does
 */
public record FunctionMatches(List<FunctionInfo> functions, int total, String binary, String buildId,
        boolean notLoaded) {
    public FunctionMatches {
        functions = List.copyOf(functions);
    }
}
