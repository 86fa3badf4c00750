// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import java.util.List;

import org.kview.model.Metric;
import org.kview.model.Wait;
import org.kview.model.WaitCall;
import org.kview.model.WaitPlace;
import org.kview.model.Waits;
import org.kview.model.Waker;

/**
 * Waits of one function that have one cause, were for one lock, in one system call and place of the kernel, and were ended by one waker.
 *
 * @param share of the time of all waits that are told of the function, 0 to 1
 */
record WaitRow(Wait waited, double share) {
    /** What stays the same while figures change. */
    record Key(Metric cause, Waker waker, long lockAddress, String lockName, WaitPlace place, WaitCall call) {
    }

    static List<WaitRow> of(Waits waits) {
        double all = waits.all().stream().mapToDouble(Wait::nanos).sum();
        return waits.all().stream().map(wait -> new WaitRow(wait, all == 0 ? 0 : wait.nanos() / all)).toList();
    }

    Key key() {
        return new Key(waited.cause(), waited.waker(), waited.lockAddress(), waited.lockName(), waited.place(), waited.call().withoutWatched());
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
