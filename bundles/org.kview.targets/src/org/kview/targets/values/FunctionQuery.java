// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.Objects;

/**
 * Which functions to look up.
 *
 * @param pid     the process whose mapped files are meant; 0 if {@code binary} is a path on the host
 * @param binary  a path, or with a pid the base name of what it maps; empty with a pid: its executable
 * @param pattern an exact name, a demangled name with or without parameters, or a glob (* ? [])
 * @param limit   at most this many functions; 0 for the agent's own limit, 1000
 */
public record FunctionQuery(long pid, String binary, String pattern, int limit) {
    public FunctionQuery {
        Objects.requireNonNull(binary);
        Objects.requireNonNull(pattern);
        if (pid < 0 || limit < 0) {
            throw new IllegalArgumentException("A pid or limit can't be negative: " + pid + ", " + limit);
        }
    }
}
