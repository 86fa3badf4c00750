// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * Who woke a thread that waited.
 *
 * @param tid  of a thread, otherwise 0
 * @param pid  its process, otherwise 0
 * @param name its name, otherwise empty
 */
public record Waker(Kind kind, int tid, int pid, String name) {
    /** What is known of them. */
    public enum Kind {
        /** The wake-up was not seen. */
        UNKNOWN("unknown", "a wake-up that was not seen"),
        THREAD("thread", "a thread"),
        /** Also what the kernel's network does in the name of any thread. */
        INTERRUPT("interrupt", "an interrupt or timer"),
        /** There were too many to be told apart: any waker, and any lock. */
        OTHERS("others", "others, which were too many to be told apart");

        private final String id;
        private final String text;

        Kind(String id, String text) {
            this.id = id;
            this.text = text;
        }

        /** The name in files and reports; never changes. */
        public String id() {
            return id;
        }

        public static Optional<Kind> ofId(String id) {
            return Arrays.stream(values()).filter(kind -> kind.id.equals(id)).findFirst();
        }
    }

    public Waker {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(name);
        if (tid < 0 || pid < 0) {
            throw new IllegalArgumentException("No thread: " + tid + " of " + pid);
        }
        if (kind != Kind.THREAD && (tid != 0 || pid != 0 || !name.isEmpty())) {
            throw new IllegalArgumentException("No thread, and yet one: " + kind + " " + tid);
        }
    }

    /** One that is no thread. */
    public static Waker of(Kind kind) {
        return new Waker(kind, 0, 0, "");
    }

    /** "thread 4711 (worker) of process 4700"; without the process for a process's first thread. */
    public String text() {
        return kind != Kind.THREAD ? kind.text
                : "thread " + tid + (name.isEmpty() ? "" : " (" + name + ")")
                        + (pid == tid ? "" : " of process " + pid);
    }
}
