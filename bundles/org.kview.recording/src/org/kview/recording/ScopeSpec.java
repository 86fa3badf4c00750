// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import org.kview.targets.values.LaunchSpec;

/** Whom to record, as a user says it: a process that runs, or a program that is started for the recording. */
public sealed interface ScopeSpec {

    /** @param pid of the target's processes */
    record Attach(long pid) implements ScopeSpec {
        public Attach {
            if (pid <= 0 || pid > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("No process has the number " + pid);
            }
        }
    }

    /**
     * The one process of that name, as several hosts have it under other numbers.
     *
     * @param name the kernel's short name of it, or the file name of its executable
     */
    record Named(String name) implements ScopeSpec {
        public Named {
            if (name.isBlank()) {
                throw new IllegalArgumentException("A process has a name");
            }
        }
    }

    /** The probes are in place before the program's first instruction. */
    record Launch(LaunchSpec program) implements ScopeSpec {
    }
}
