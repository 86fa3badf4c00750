// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import java.util.List;
import java.util.Optional;

import org.kview.model.LockHolder;
import org.kview.model.Metric;
import org.kview.model.ProgramPlace;
import org.kview.model.Wait;
import org.kview.model.WaitCall;
import org.kview.model.WaitPlace;
import org.kview.model.Waits;
import org.kview.model.Waker;

/**
 * Waits of one function that have one cause, were for one lock that one thread held, in one system call and place of the program and the kernel, and were
 * ended by one waker.
 *
 * @param share of the time of all waits that are told of the function, 0 to 1
 */
record WaitRow(Wait waited, double share) {
    /** What stays the same while figures change. */
    record Key(Metric cause, Waker waker, long lockAddress, String lockName, WaitPlace place, WaitCall call,
            Optional<LockHolder> holder, ProgramPlace program) {
    }

    static List<WaitRow> of(Waits waits) {
        double all = waits.all().stream().mapToDouble(Wait::nanos).sum();
        return waits.all().stream().map(wait -> new WaitRow(wait, all == 0 ? 0 : wait.nanos() / all)).toList();
    }

    Key key() {
        return new Key(waited.cause(), waited.waker(), waited.lockAddress(), waited.lockName(), waited.place(), waited.call().withoutWatched(),
                waited.holder(), waited.program());
    }

    /** Empty where it is no lock, or not known who held it. */
    String holder() {
        return waited.holder().map(LockHolder::text).orElse("");
    }

    /** Where in the program; empty where it is not known. */
    String program() {
        return waited.program().text();
    }

    /** Empty where it is no lock, or not known which. */
    String lock() {
        return waited.hasLock() ? waited.lockText() : "";
    }

    /** Empty where it is not known. */
    String place() {
        return waited.place().text();
    }

    /** Empty where it was in none, or that is not known. */
    String call() {
        return waited.call().text();
    }

    String waker() {
        return waited.waker().text();
    }

    long meanNanos() {
        return waited.count() == 0 ? 0 : waited.nanos() / waited.count();
    }
}
