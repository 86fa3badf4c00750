// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.PlatformUI;
import org.kview.model.LatencySnapshot;
import org.kview.targets.values.LinkState;
import org.kview.ui.UiThread;

/**
 * The session that the views show. May be set from any thread and as often as figures arrive;
 * listeners hear of it on the UI thread, of a running recording at most four times a second. The last
 * state always arrives.
 */
public final class SessionService {
    static final int LIVE_INTERVAL_MILLIS = 250;

    /** Runs work on the UI thread, later; drops it when there is no UI thread any more. */
    interface Timer {
        void runAfter(int millis, Runnable work);
    }

    private final Timer timer;
    private final List<SessionListener> listeners = new CopyOnWriteArrayList<>();
    /** As it was set: of several hosts their sum. */
    private SessionState whole = new SessionState.None();
    private Optional<String> host = Optional.empty();
    private SessionState state = whole;
    private SessionState told = state;
    /** The state of the recording that runs, shown or not. */
    private Optional<SessionState> recording = Optional.empty();
    /** Something else is shown than the recording that runs. */
    private boolean aside;
    private boolean scheduled;
    private long toldAtNanos;

    SessionService(Timer timer) {
        this.timer = timer;
        this.toldAtNanos = System.nanoTime() - LIVE_INTERVAL_MILLIS * 1_000_000L;
    }

    /** The workbench's. */
    public static SessionService get() {
        return PlatformUI.getWorkbench().getService(SessionService.class);
    }

    static SessionService on(Display display) {
        // Where the window is closed nobody looks: a recording that still ends must not fail by that.
        return new SessionService((millis, work) -> UiThread.later(display, () -> display.timerExec(millis, work)));
    }

    public synchronized SessionState state() {
        return state;
    }

    public synchronized void set(SessionState next) {
        whole = next;
        update();
    }

    /**
     * Sets how the recording that runs stands. That is shown, unless the user looks at something else meanwhile.
     *
     * @see #lookAside()
     */
    public synchronized void setRecording(SessionState next) {
        boolean linkChanged = !link(recording).equals(link(Optional.of(next)));
        recording = Optional.of(next);
        if (!aside) {
            set(next);
        } else if (linkChanged) {
            update();
        }
    }

    private static Optional<LinkState> link(Optional<SessionState> state) {
        return state.map(s -> s instanceof SessionState.Recording r ? r.link() : null);
    }

    /** How the recording that runs stands, shown or not; empty if none runs. */
    public synchronized Optional<SessionState> recording() {
        return recording;
    }

    /** Whether a recording runs and something else is shown. */
    public synchronized boolean isAside() {
        return aside;
    }

    /** From now on what is set is shown, and not the recording that runs, if one does. */
    synchronized void lookAside() {
        aside = recording.isPresent();
    }

    /** Shows the recording that runs, or that nothing is open. */
    synchronized void lookBack() {
        aside = false;
        set(recording.orElseGet(SessionState.None::new));
    }

    /**
     * The recording has ended.
     *
     * @param next what is shown from now on, unless something else than the recording is shown already
     * @return whether something else is shown, and stays
     */
    synchronized boolean endRecording(SessionState next) {
        boolean stays = aside;
        recording = Optional.empty();
        aside = false;
        if (!stays) {
            whole = next;
        }
        // Also where nothing else is shown now: those who watch the recording must hear of its end.
        update();
        return stays;
    }

    /** The figures of all hosts together, whichever is shown. */
    public synchronized Optional<LatencySnapshot> wholeFigures() {
        return whole.snapshot();
    }

    /** The hosts that the session was recorded on, by their targets' names; empty if it was one. */
    public synchronized List<String> hosts() {
        return whole.snapshot().stream().flatMap(figures -> figures.hosts().stream())
                .map(figures -> figures.info().target()).toList();
    }

    /** The one of {@link #hosts()} whose figures alone are shown; empty for the sum of all. */
    public synchronized Optional<String> host() {
        return host;
    }

    /** Shows one of {@link #hosts()} alone, or all together. */
    public synchronized void showHost(Optional<String> target) {
        host = target;
        update();
    }

    private void update() {
        host = host.filter(hosts()::contains);
        state = host.isEmpty() ? whole : of(host.get());
        if (!scheduled) {
            scheduled = true;
            timer.runAfter(delayMillis(state), this::tell);
        }
    }

    private SessionState of(String target) {
        LatencySnapshot figures = whole.snapshot().orElseThrow().hosts().stream()
                .filter(h -> h.info().target().equals(target)).findFirst().orElseThrow();
        return switch (whole) {
            case SessionState.Recording(var session, var _, var link, var share) ->
                    new SessionState.Recording(session, figures, link, share);
            case SessionState.Opened(var session, var _) -> new SessionState.Opened(session, figures);
            case SessionState.None _, SessionState.Busy _, SessionState.Failed _ -> whole;
        };
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

    /** Adds a listener that is told before those that are there already. */
    public void addFirst(SessionListener listener) {
        listeners.addFirst(listener);
    }

    public void remove(SessionListener listener) {
        listeners.remove(listener);
    }
}
