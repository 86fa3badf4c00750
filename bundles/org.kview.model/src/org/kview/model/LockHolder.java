// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Objects;

/**
 * The thread that held a lock as another one began to wait for it.
 *
 * @param pid      its process, which is another one than the measured one where these share the lock
 * @param name     its name; empty where it is not known
 * @param function the innermost measured function that it was in; empty where it was in none, or that is not known
 */
public record LockHolder(int tid, int pid, String name, String function) {
    public LockHolder {
        Objects.requireNonNull(name);
        Objects.requireNonNull(function);
        if (tid <= 0 || pid < 0) {
            throw new IllegalArgumentException("No thread: " + tid + " of " + pid);
        }
    }

    /** "thread 4711 (worker) of process 4700, in flush_cache"; without the process for a process's first thread. */
    public String text() {
        return new Waker(Waker.Kind.THREAD, tid, pid, name).text() + (function.isEmpty() ? "" : ", in " + function);
    }
}
