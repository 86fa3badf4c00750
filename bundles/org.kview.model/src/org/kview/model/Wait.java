// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Objects;
import java.util.Optional;

/**
 * Waits of a function's calls that have one cause, were for one lock that one thread held, in one system call and place and were ended by one
 * waker: each from the moment when the thread left its CPU to the one when it was woken.
 *
 * @param cause       one of {@link Metric#CAUSES}
 * @param lockAddress of the futex; 0: none, or not known
 * @param lockName    what lies there; empty where that is not known
 * @param nanos       all of them together
 * @param count       how many
 * @param place       where in the kernel
 * @param call        and in which system call
 * @param holder      of the lock, as the waits began; empty where it is not known, and of what is no lock
 * @param program     where in the program
 */
public record Wait(Metric cause, Waker waker, long lockAddress, String lockName, long nanos, long count, WaitPlace place, WaitCall call,
        Optional<LockHolder> holder, ProgramPlace program) {
    /** It is not known where. */
    public Wait(Metric cause, Waker waker, long lockAddress, String lockName, long nanos, long count) {
        this(cause, waker, lockAddress, lockName, nanos, count, WaitPlace.UNKNOWN);
    }

    /** It is not known in which system call. */
    public Wait(Metric cause, Waker waker, long lockAddress, String lockName, long nanos, long count, WaitPlace place) {
        this(cause, waker, lockAddress, lockName, nanos, count, place, WaitCall.NONE);
    }

    /** It is not known who held the lock, nor where in the program. */
    public Wait(Metric cause, Waker waker, long lockAddress, String lockName, long nanos, long count, WaitPlace place, WaitCall call) {
        this(cause, waker, lockAddress, lockName, nanos, count, place, call, Optional.empty(), ProgramPlace.UNKNOWN);
    }

    public Wait {
        Objects.requireNonNull(holder);
        Objects.requireNonNull(program);
        Objects.requireNonNull(place);
        Objects.requireNonNull(call);
        Objects.requireNonNull(waker);
        Objects.requireNonNull(lockName);
        if (!cause.isCause() || lockAddress < 0 || nanos < 0 || nanos > CallFates.MAX || count < 0 || count > CallFates.MAX) {
            throw new IllegalArgumentException("No waits: " + cause + ", " + nanos + ", " + count);
        }
    }

    /** Whether it was for a lock of which something is known. */
    public boolean hasLock() {
        return lockAddress != 0 || !lockName.isEmpty();
    }

    /** "cache_lock+0x28", or "0x7f0012345678 in [heap]" of what has no name of its own. */
    public String lockText() {
        String address = "0x" + Long.toHexString(lockAddress);
        return lockName.isEmpty() ? address : lockName.startsWith("[") ? address + " in " + lockName : lockName;
    }
}
