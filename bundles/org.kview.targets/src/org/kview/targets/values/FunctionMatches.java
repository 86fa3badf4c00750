// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;

/**
 * The functions that a query found.
 *
 * @param functions by name; those that can't be probed are among them and say why
 * @param total     how many match, before the limit
 * @param binary    resolved path, as the process sees it
 * @param buildId   hex; empty if none
 * @param notLoaded the process does not map the binary so far: calls are seen once it does
 */
public record FunctionMatches(List<FunctionInfo> functions, int total, String binary, String buildId,
        boolean notLoaded) {
    public FunctionMatches {
        functions = List.copyOf(functions);
    }
}
