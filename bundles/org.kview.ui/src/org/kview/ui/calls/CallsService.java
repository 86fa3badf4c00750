// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.jobs.IJobChangeListener;
import org.eclipse.core.runtime.jobs.Job;
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

    /** So long the calls of a recording are still followed when nobody looks at them any more, as one often looks again. */
    private static final Duration LOOKED_BEFORE = Duration.ofMinutes(1);

    private final CallStores stores;
    private final UiThread uiThread;
    private final Duration lookedBefore;
    private final List<CallsListener> listeners = new CopyOnWriteArrayList<>();
    private CallsState state = new CallsState.None();
    private Optional<Opened> opened = Optional.empty();
    /** Whose calls are followed while somebody looks. */
    private Optional<Path> recording = Optional.empty();
    private final Set<Object> looking = new HashSet<>();
    /** Counts how often somebody began to look. */
    private int looks;
    private final Deque<CallsState> untold = new ArrayDeque<>();

    /**
     * A session, and the job that stores its calls.
     *
     * @param session empty of a recording that goes on
     */
    private record Opened(Path path, Optional<SessionReader> session, Job job) {
    }

    CallsService(CallStores stores, UiThread uiThread) {
        this(stores, uiThread, LOOKED_BEFORE);
    }

    CallsService(CallStores stores, UiThread uiThread, Duration lookedBefore) {
        this.stores = stores;
        this.uiThread = uiThread;
        this.lookedBefore = lookedBefore;
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
        leave();
        StoreJob job = new StoreJob(session, path, stores, this::set);
        opened = Optional.of(new Opened(path, Optional.of(session), job));
        // Also where it was cancelled before it began.
        job.addJobChangeListener(IJobChangeListener.onDone(event -> {
            if (event.getResult().getSeverity() == IStatus.CANCEL) {
                set(job, new CallsState.Cancelled());
            }
        }));
        set(new CallsState.Storing(0, StoreJob.expected(session)));
        job.schedule();
    }

    /**
     * Shows the calls of a recording that goes on, some seconds behind, unless it does so already: while somebody looks, until it is left,
     * or a session is opened. Of a session that is open, nothing changes.
     */
    public synchronized void follow(Path path) {
        if (opened.filter(its -> its.session().isPresent()).isEmpty() && !recording.equals(Optional.of(path))) {
            leave();
            recording = Optional.of(path);
            followIfLooked();
        }
    }

    private void followIfLooked() {
        if (recording.isPresent() && opened.isEmpty() && !looking.isEmpty()) {
            LiveJob job = new LiveJob(recording.get(), stores, this::set);
            opened = Optional.of(new Opened(recording.get(), Optional.empty(), job));
            job.schedule();
        }
    }

    /**
     * Somebody looks at calls, or does not any more: those of a recording that goes on take processor time and room on the disk, which
     * nothing but looking at them is worth.
     */
    public synchronized void looks(Object who, boolean can) {
        if (can) {
            looks++;
            looking.add(who);
            followIfLooked();
        } else if (looking.remove(who) && looking.isEmpty()) {
            int before = looks;
            Job unlooked = Job.createSystem("Follow no calls", _ -> {
                endUnlooked(before);
            });
            unlooked.schedule(lookedBefore.toMillis());
        }
    }

    private synchronized void endUnlooked(int before) {
        if (looks == before) {
            endFollowing();
        }
    }

    /** Follows no recording any more. Does not wait for who still reads its calls. */
    public synchronized void leave() {
        recording = Optional.empty();
        endFollowing();
    }

    private void endFollowing() {
        if (opened.filter(its -> its.session().isEmpty()).isPresent()) {
            opened.get().job().cancel();
            opened = Optional.empty();
            set(new CallsState.None());
        }
    }

    /** Tries once more, after it failed or was cancelled. */
    public synchronized void again() {
        opened.filter(_ -> state instanceof CallsState.Failed || state instanceof CallsState.Cancelled).ifPresent(its -> {
            if (its.session().isPresent()) {
                open(its.path(), its.session().get());
            } else {
                leave();
                follow(its.path());
            }
        });
    }

    /** Lets go of the session. Waits for those who read it; not for the UI thread. */
    public void close() {
        Optional<Opened> closed;
        synchronized (this) {
            closed = opened;
            opened = Optional.empty();
            recording = Optional.empty();
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
            if (its.job() instanceof StoreJob storing) {
                storing.result().ifPresent(SessionCallStore::close);
            }
        });
    }

    /** What a job came to counts for as long as its session is open. */
    private synchronized void set(Job job, CallsState next) {
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
