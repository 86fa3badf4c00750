// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.jobs.IJobChangeListener;
import org.eclipse.ui.PlatformUI;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.read.SessionReader;
import org.kview.session.store.CallStores;

/**
 * The single calls of the session that is open, out of a store that is made in the background if there is none. Safe for use by
 * several threads; listeners hear on the UI thread, and of all but how far storing has come nothing is left out.
 */
public final class CallsService {
    /** Runs work on the UI thread, later; drops it when there is no UI thread any more. */
    @FunctionalInterface
    interface UiThread {
        void run(Runnable work);
    }

    private final CallStores stores;
    private final UiThread uiThread;
    private final List<CallsListener> listeners = new CopyOnWriteArrayList<>();
    private CallsState state = new CallsState.None();
    private Optional<Opened> opened = Optional.empty();
    private final Deque<CallsState> untold = new ArrayDeque<>();

    /** A session, and the job that stores its calls. */
    private record Opened(Path path, SessionReader session, StoreJob job) {
    }

    CallsService(CallStores stores, UiThread uiThread) {
        this.stores = stores;
        this.uiThread = uiThread;
    }

    /** The workbench's. */
    public static CallsService get() {
        return PlatformUI.getWorkbench().getService(CallsService.class);
    }

    public synchronized CallsState state() {
        return state;
    }

    /** Begins to bring the calls of a session to hand. It stays open until {@link #close()} has returned. */
    public synchronized void open(Path path, SessionReader session) {
        if (!session.hasEvents()) {
            set(new CallsState.WithoutEvents());
            return;
        }
        StoreJob job = new StoreJob(session, path, stores, this::set);
        opened = Optional.of(new Opened(path, session, job));
        // Also where it was cancelled before it began.
        job.addJobChangeListener(IJobChangeListener.onDone(event -> {
            if (event.getResult().getSeverity() == IStatus.CANCEL) {
                set(job, new CallsState.Cancelled());
            }
        }));
        set(new CallsState.Storing(0, StoreJob.expected(session)));
        job.schedule();
    }

    /** Tries once more, after it failed or was cancelled. */
    public synchronized void again() {
        opened.filter(_ -> state instanceof CallsState.Failed || state instanceof CallsState.Cancelled)
                .ifPresent(its -> open(its.path(), its.session()));
    }

    /** Lets go of the session. Waits for those who read it; not for the UI thread. */
    public void close() {
        Optional<Opened> closed;
        synchronized (this) {
            closed = opened;
            opened = Optional.empty();
            // From now on nobody begins to ask.
            set(new CallsState.None());
        }
        closed.ifPresent(its -> {
            its.job().cancel();
            try {
                its.job().join();
            } catch (InterruptedException e) {
                ILog.of(getClass()).info("The calls of " + its.path() + " are let go of while they are stored.");
                Thread.currentThread().interrupt();
            }
            its.job().result().ifPresent(SessionCallStore::close);
        });
    }

    /** What a job came to counts for as long as its session is open. */
    private synchronized void set(StoreJob job, CallsState next) {
        if (opened.filter(its -> its.job() == job).isPresent()) {
            set(next);
        }
    }

    /** What is at hand now. */
    synchronized void set(CallsState next) {
        state = next;
        boolean telling = !untold.isEmpty();
        if (!untold.isEmpty() && isReplaced(untold.getLast(), next)) {
            untold.removeLast();
        }
        untold.addLast(next);
        if (!telling) {
            uiThread.run(this::tell);
        }
    }

    /** Of how far storing has come only the last is of interest. */
    private static boolean isReplaced(CallsState before, CallsState next) {
        return before instanceof CallsState.Storing && next instanceof CallsState.Storing
                || before instanceof CallsState.Growing && next instanceof CallsState.Growing;
    }

    private void tell() {
        List<CallsState> states;
        synchronized (this) {
            states = List.copyOf(untold);
            untold.clear();
        }
        states.forEach(each -> listeners.forEach(listener -> listener.callsChanged(each)));
    }

    /** Adds a listener; it is not told the current state. */
    public void add(CallsListener listener) {
        listeners.add(listener);
    }

    public void remove(CallsListener listener) {
        listeners.remove(listener);
    }
}
