// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Objects;

/**
 * Who is measured. Today's agents take single processes; files may contain the kinds of newer versions.
 */
public sealed interface Scope {

    /** The name in files; never changes. */
    String kind();

    /** The number of its process; 0 if it has none. */
    long pid();

    /**
     * One process.
     *
     * @param startNanos when it started, on the host's CLOCK_MONOTONIC, in steps of 10 ms: tells it from a later process
     *                   with the same number; 0: not known
     */
    record Process(long pid, long startNanos) implements Scope {
        public static final String KIND = "process";

        public Process {
            if (pid <= 0 || startNanos < 0) {
                throw new IllegalArgumentException("No process has the number " + pid + " and the start " + startNanos);
            }
        }

        @Override
        public String kind() {
            return KIND;
        }
    }

    /**
     * A scope of a kind that only newer versions know.
     *
     * @param kind as the file names it; empty if it names none
     */
    record Unknown(String kind, long pid) implements Scope {
        public Unknown {
            Objects.requireNonNull(kind);
        }
    }
}
