/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.session;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.PlatformUI;

/**
 * The session that the views show. May be set from any thread and as often as figures arrive;
 * listeners hear of it on the UI thread, of a running recording at most four times a second. The last
 * state always arrives.
 */
public final class SessionService {
    static final int LIVE_INTERVAL_MILLIS = 250;

    /** Runs work on the UI thread, later; drops it when there is no UI thread any more. */
    interface UiThread {
        void runAfter(int millis, Runnable work);
    }

    private final UiThread uiThread;
    private final List<SessionListener> listeners = new CopyOnWriteArrayList<>();
    private SessionState state = new SessionState.None();
    private SessionState told = state;
    private boolean scheduled;
    private long toldAtNanos;

    SessionService(UiThread uiThread) {
        this.uiThread = uiThread;
        this.toldAtNanos = System.nanoTime() - LIVE_INTERVAL_MILLIS * 1_000_000L;
    }

    /** The workbench's. */
    public static SessionService get() {
        return PlatformUI.getWorkbench().getService(SessionService.class);
    }

    static SessionService on(Display display) {
        return new SessionService((millis, work) -> {
            if (!display.isDisposed()) {
                display.asyncExec(() -> display.timerExec(millis, work));
            }
        });
    }

    public synchronized SessionState state() {
        return state;
    }

    public synchronized void set(SessionState next) {
        state = next;
        if (!scheduled) {
            scheduled = true;
            uiThread.runAfter(delayMillis(next), this::tell);
        }
    }

    /** Only figures of the same recording wait; everything else is told at once. */
    private int delayMillis(SessionState next) {
        if (!(next instanceof SessionState.Recording) || !(told instanceof SessionState.Recording)) {
            return 0;
        }
        long sinceMillis = (System.nanoTime() - toldAtNanos) / 1_000_000;
        return Math.clamp(LIVE_INTERVAL_MILLIS - sinceMillis, 0, LIVE_INTERVAL_MILLIS);
    }

    private void tell() {
        SessionState current;
        synchronized (this) {
            scheduled = false;
            told = state;
            toldAtNanos = System.nanoTime();
            current = state;
        }
        listeners.forEach(listener -> listener.sessionChanged(current));
    }

    /** Adds a listener; it is not told the current state. */
    public void add(SessionListener listener) {
        listeners.add(listener);
    }

    public void remove(SessionListener listener) {
        listeners.remove(listener);
    }
}
