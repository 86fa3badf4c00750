// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/** Lets those ask who come before it is closed; who closes it waits for these. */
final class Gate {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private volatile boolean closed;

    /** Asks something, at once; empty if it is closed. */
    <T> Optional<T> ask(Supplier<T> question) {
        if (closed || !lock.readLock().tryLock()) {
            return Optional.empty();
        }
        try {
            return closed ? Optional.empty() : Optional.of(question.get());
        } finally {
            lock.readLock().unlock();
        }
    }

    /** @param then lets go of what was asked */
    void close(Runnable then) {
        closed = true;
        lock.writeLock().lock();
        try {
            then.run();
        } finally {
            lock.writeLock().unlock();
        }
    }
}
