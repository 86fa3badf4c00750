// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.util.Optional;

import org.kview.targets.values.LaunchSpec;

/** Whom to record, as a user says it: a process that runs, all of a cgroup, or a program that is started for the recording. */
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

    /**
     * All processes that are in a cgroup or in one below it.
     *
     * @param name its path from the root of the hierarchy, that of its folder, or one part of the path that no other cgroup has
     */
    record Cgroup(String name) implements ScopeSpec {
        public Cgroup {
            if (name.isBlank()) {
                throw new IllegalArgumentException("A cgroup has a name");
            }
        }

        /**
         * The service of a process: the innermost that systemd calls a service or a scope, as of a container, else its cgroup. A user's manager,
         * {@code user@1000.service}, has all that the user runs below it, and is no service of that.
         *
         * @param cgroup the process's, from the root of the hierarchy
         * @return empty where it is the root, or not known
         */
        public static Optional<Cgroup> ofService(String cgroup) {
            int end = cgroup.length();
            while (end > 0 && !cgroup.substring(0, end).matches(".*\\.(service|scope)")) {
                end = cgroup.lastIndexOf('/', end - 1);
            }
            boolean found = end > 0 && !cgroup.substring(0, end).matches(".*/user@[^/]*\\.service");
            String path = found ? cgroup.substring(0, end) : cgroup;
            return path.matches("/+|\\s*") ? Optional.empty() : Optional.of(new Cgroup(path));
        }
    }

    /** The probes are in place before the program's first instruction. */
    record Launch(LaunchSpec program) implements ScopeSpec {
    }
}
