// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;
import java.util.Map;

/**
 * A program to start on the target, stopped before the first instruction of its own.
 *
 * @param arguments        the first one is the program; it is looked up in PATH when it has no slash
 * @param environment      added to the agent's own environment
 * @param workingDirectory empty for the agent's own
 */
public record LaunchSpec(List<String> arguments, Map<String, String> environment, String workingDirectory) {
    public LaunchSpec {
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        if (arguments.isEmpty()) {
            throw new IllegalArgumentException("A program to start needs at least its name");
        }
    }
}
