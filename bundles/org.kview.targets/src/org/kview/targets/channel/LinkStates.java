// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import org.kview.targets.values.LinkListener;
import org.kview.targets.values.LinkState;
import org.kview.targets.values.LinkStatus;
import org.kview.targets.values.Listening;

/** The state of a link, and its listeners. */
public final class LinkStates {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<LinkListener> listeners = new ArrayList<>();
    private volatile LinkStatus now = new LinkStatus(LinkState.CONNECTED, "");

    public LinkStatus now() {
        return now;
    }

    public Listening listen(LinkListener listener) {
        lock.lock();
        try {
            listeners.add(listener);
        } finally {
            lock.unlock();
        }
        return () -> {
            lock.lock();
            try {
                listeners.remove(listener);
            } finally {
                lock.unlock();
            }
        };
    }

    /** Sets the state and tells all listeners. GONE is final. */
    void set(LinkState state, String sentence) {
        lock.lock();
        try {
            if (now.state() == state || now.state() == LinkState.GONE) {
                return;
            }
            now = new LinkStatus(state, sentence);
            List.copyOf(listeners).forEach(this::tell);
        } finally {
            lock.unlock();
        }
    }

    /** A listener that throws keeps neither other listeners from hearing of the change nor the link from working. */
    private void tell(LinkListener listener) {
        try {
            listener.changed(now);
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    /** Changes one state to another; does nothing if a third one has been set meanwhile. */
    void change(LinkState from, LinkState to, String sentence) {
        lock.lock();
        try {
            if (now.state() == from) {
                set(to, sentence);
            }
        } finally {
            lock.unlock();
        }
    }
}
