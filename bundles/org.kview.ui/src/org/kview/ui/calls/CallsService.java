// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

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
    private final LongPredicate goesOn;
    private final List<CallsListener> listeners = new CopyOnWriteArrayList<>();
    private CallsState state = new CallsState.None();
    private Optional<Opened> opened = Optional.empty();
    /** Whose calls are followed while somebody looks. */
    private Optional<Path> recording = Optional.empty();
    /** When it began, by which it is told from one that was recorded at its place before. */
    private Instant began = Instant.EPOCH;
    /** Follows them; for a while also when the recording has ended or is not shown any more, as it may be opened or shown next. */
    private Optional<LiveJob> live = Optional.empty();
    private final Set<Object> looking = new HashSet<>();
    /** Counts how often somebody began to look. */
    private int looks;
    private final Deque<CallsState> untold = new ArrayDeque<>();

    /**
     * A session, and the job that stores its calls.
     *
     * @param before which did, and were cancelled: who asked for what these left may still read it
     */
    private record Opened(Path path, SessionReader session, StoreJob job, List<StoreJob> before) {
    }

    CallsService(CallStores stores, UiThread uiThread) {
        this(stores, uiThread, LOOKED_BEFORE, _ -> true);
    }

    /** @param goesOn hears now and then how many calls of a session were stored; says whether to go on */
    CallsService(CallStores stores, UiThread uiThread, Duration lookedBefore, LongPredicate goesOn) {
        this.stores = stores;
        this.uiThread = uiThread;
        this.lookedBefore = lookedBefore;
        this.goesOn = goesOn;
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
        recording = Optional.empty();
        endFollowing(its -> !its.isOf(path, session.snapshot().info().start()));
        Optional<LiveJob> followed = live;
        live = Optional.empty();
        store(path, session, followed, Optional.empty());
    }

    private void store(Path path, SessionReader session, Optional<LiveJob> followed, Optional<SessionCallStore> part) {
        List<StoreJob> before = new ArrayList<>();
        opened.ifPresent(its -> {
            before.addAll(its.before());
            before.add(its.job());
        });
        StoreJob job = new StoreJob(session, path, stores, this::set, followed, part, goesOn);
        opened = Optional.of(new Opened(path, session, job, before));
        // Also where it was cancelled before it began.
        job.addJobChangeListener(IJobChangeListener.onDone(event -> {
            if (event.getResult().getSeverity() == IStatus.CANCEL) {
                set(job, job.cancelled());
            }
        }));
        set(followed.map(LiveJob::last).filter(CallsState.Growing.class::isInstance).or(() -> part.map(CallsState.Growing::new))
                .orElse(new CallsState.Storing(0, StoreJob.expected(session))));
        job.schedule();
    }

    /**
     * Shows the calls of a recording that goes on, some seconds behind, unless it does so already: while somebody looks, until it is left,
     * or a session is opened. Of a session that is open, nothing changes.
     *
     * @param start when it began
     */
    public synchronized void follow(Path path, Instant start) {
        if (opened.isEmpty() && !recording.equals(Optional.of(path))) {
            endFollowing(its -> !its.isOf(path, start));
            recording = Optional.of(path);
            began = start;
            followIfLooked();
            live.ifPresent(its -> set(its.last()));
        }
    }

    private void followIfLooked() {
        if (recording.isPresent() && opened.isEmpty() && !looking.isEmpty() && live.isEmpty()) {
            LiveJob job = new LiveJob(recording.get(), began, stores, this::set);
            live = Optional.of(job);
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
            later(() -> looks == before);
        }
    }

    /** If it is still so in a while, no recording is followed any more. */
    private void later(BooleanSupplier ends) {
        Job unlooked = Job.createSystem("Follow no calls", _ -> {
            synchronized (this) {
                if (ends.getAsBoolean()) {
                    endFollowing(_ -> true);
                }
            }
        });
        unlooked.schedule(lookedBefore.toMillis());
    }

    /** The recording is not shown any more, or has ended. Does not wait for who still reads its calls. */
    public synchronized void leave() {
        recording = Optional.empty();
        if (live.isPresent()) {
            if (opened.isEmpty()) {
                set(new CallsState.None());
            }
            endLater();
        }
    }

    private void endLater() {
        Optional<LiveJob> left = live;
        later(() -> recording.isEmpty() && live.equals(left));
    }

    private void endFollowing(Predicate<LiveJob> which) {
        if (live.filter(which).isPresent()) {
            live.get().cancel();
            live = Optional.empty();
            if (opened.isEmpty()) {
                set(new CallsState.None());
            }
        }
    }

    /** Tries once more, after it failed or was cancelled. */
    public synchronized void again() {
        if (state instanceof CallsState.Failed || state instanceof CallsState.Cancelled || state instanceof CallsState.Part) {
            if (opened.isPresent()) {
                store(opened.get().path(), opened.get().session(), Optional.empty(), state.store());
            } else {
                endFollowing(_ -> true);
                followIfLooked();
            }
        }
    }

    /** Lets go of the session, and of the recording that is followed. Waits for those who read them; not for the UI thread. */
    public void end() {
        Optional<LiveJob> followed;
        synchronized (this) {
            followed = live;
            endFollowing(_ -> true);
        }
        followed.ifPresent(job -> join(job, job.recording()));
        close();
    }

    /** Lets go of the session. Waits for those who read it; not for the UI thread. */
    public void close() {
        Optional<Opened> closed;
        synchronized (this) {
            closed = opened;
            opened = Optional.empty();
            recording = Optional.empty();
            if (live.isPresent()) {
                endLater();
            }
            // From now on nobody begins to ask.
            set(new CallsState.None());
        }
        closed.ifPresent(its -> {
            its.job().cancel();
            its.job().live().ifPresent(Job::cancel);
            join(its.job(), its.path());
            its.job().live().ifPresent(job -> join(job, its.path()));
            its.job().result().ifPresent(SessionCallStore::close);
            its.job().part().ifPresent(SessionCallStore::close);
            its.before().forEach(job -> job.part().ifPresent(SessionCallStore::close));
        });
    }

    private void join(Job job, Path path) {
        try {
            job.join();
        } catch (InterruptedException e) {
            ILog.of(getClass()).info("The calls of " + path + " are let go of while they are stored.");
            Thread.currentThread().interrupt();
        }
    }

    /** What a job came to counts for as long as its session is open, or its recording shown. */
    private synchronized void set(Job job, CallsState next) {
        boolean shown = opened.isEmpty() ? recording.isPresent() && live.filter(its -> its == job).isPresent()
                : opened.get().job() == job || next instanceof CallsState.Growing && opened.get().job().live().filter(its -> its == job).isPresent();
        if (shown) {
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
