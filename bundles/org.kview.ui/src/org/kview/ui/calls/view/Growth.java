// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls.view;

import java.util.concurrent.TimeUnit;

import org.eclipse.swt.widgets.Display;

/**
 * When a view looks at calls anew because others were stored: once it has shown what it asked for before, and while one can see it.
 * It pauses for as long as its answers take, and twice as long again, so that storing the others goes on. For the UI thread.
 */
final class Growth {
    private static final int PAUSE = 3;
    private static final int LEAST_MILLIS = 50;

    private final Display display;
    private final Runnable look;
    private boolean grown;
    private boolean looked = true;
    private boolean waiting;
    private boolean timed;
    private long askedNanos = System.nanoTime();
    private long tookNanos;

    /** @param look shows what there is now */
    Growth(Display display, Runnable look) {
        this.display = display;
        this.look = look;
    }

    /** There are more calls. */
    void grown() {
        grown = true;
        follow();
    }

    /** What there is now is shown in another way, or there is nothing. */
    void forget() {
        grown = false;
    }

    void setLooked(boolean can) {
        looked = can;
        follow();
    }

    void asked() {
        waiting = true;
        askedNanos = System.nanoTime();
    }

    void answered() {
        if (waiting) {
            waiting = false;
            tookNanos = System.nanoTime() - askedNanos;
            follow();
        }
    }

    private void follow() {
        if (grown && looked && !waiting && !timed) {
            timed = true;
            long since = System.nanoTime() - askedNanos - tookNanos;
            long millis = TimeUnit.NANOSECONDS.toMillis(PAUSE * tookNanos - since);
            display.timerExec((int) Math.clamp(millis, LEAST_MILLIS, TimeUnit.SECONDS.toMillis(10)), this::now);
        }
    }

    private void now() {
        timed = false;
        if (grown && looked && !waiting) {
            grown = false;
            look.run();
        }
    }
}
