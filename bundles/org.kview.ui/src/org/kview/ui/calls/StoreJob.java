// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BiConsumer;
import java.util.function.LongPredicate;

import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.model.LatencySnapshot;
import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredSession;
import org.kview.session.calls.StoringListener;
import org.kview.session.read.SessionReader;
import org.kview.session.store.CallStores;
import org.kview.ui.KviewUi;

/** Opens the store of a session's calls, or makes it. */
final class StoreJob extends Job {
    private static final int TICKS = 1000;
    private static final long TELL_NANOS = 200_000_000L;
    /** Another workbench, or a command, makes the same store. */
    private static final long OTHER_MILLIS = 500;

    private final SessionReader session;
    private final Path path;
    private final CallStores stores;
    private final BiConsumer<Job, CallsState> states;
    private final Optional<LiveJob> live;
    private final Optional<SessionCallStore> before;
    private final LongPredicate goesOn;
    private final long expected;
    private Optional<String> anew = Optional.empty();
    private Optional<SessionCallStore> result = Optional.empty();
    /** Those up to some moment, where storing the others ended. */
    private Optional<SessionCallStore> part = Optional.empty();
    private long toldNanos = System.nanoTime();
    private int ticks;
    private boolean growing;

    /**
     * @param live   follows its recording, which has ended: what it stored is kept if it can be
     * @param before the calls up to some moment, which were stored when it was cancelled; they are shown until there are more
     * @param goesOn hears now and then how many calls were stored; says whether to go on
     */
    StoreJob(SessionReader session, Path path, CallStores stores, BiConsumer<Job, CallsState> states, Optional<LiveJob> live,
            Optional<SessionCallStore> before, LongPredicate goesOn) {
        super(SafeText.line("Store the calls of " + path.getFileName()));
        this.session = session;
        this.path = path;
        this.stores = stores;
        this.states = states;
        this.live = live;
        this.before = before;
        this.goesOn = goesOn;
        expected = expected(session);
        setPriority(Job.LONG);
    }

    /** How many calls there are to be, as far as they were counted. */
    static long expected(SessionReader session) {
        LatencySnapshot figures = session.snapshot();
        return figures.functions().stream().mapToLong(function -> function.wall().count()).sum();
    }

    /** What came of it; to be asked for when the job has ended. */
    synchronized Optional<SessionCallStore> result() {
        return result;
    }

    /** The calls up to some moment, where storing the others has ended; to be asked for when the job has. */
    synchronized Optional<SessionCallStore> part() {
        return part;
    }

    /** What is at hand when storing them was given up. */
    CallsState cancelled() {
        return ended("storing the others was cancelled", new CallsState.Cancelled());
    }

    /** @param without what it is where no calls are at hand */
    private CallsState ended(String why, CallsState without) {
        return part().filter(its -> before.isEmpty() || count(its) >= count(before.get())).or(() -> before)
                .<CallsState>map(calls -> new CallsState.Part(calls, why)).orElse(without);
    }

    private void fail(String message) {
        states.accept(this, ended("the others can't be stored. " + message, new CallsState.Failed(message + ".")));
    }

    private static int count(SessionCallStore calls) {
        return calls.ask(StoredSession::calls).orElse(0);
    }

    Optional<LiveJob> live() {
        return live;
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
        monitor.beginTask(SafeText.line(getName()), TICKS);
        try {
            if (live.isPresent()) {
                anew = live.get().calls().keep(session, () -> !monitor.isCanceled());
                live.get().cancel();
            }
            Optional<SessionCallStore> made = made(monitor);
            while (made.isEmpty()) {
                if (growing) {
                    // What was told of is not there any more.
                    growing = false;
                    states.accept(this, before.<CallsState>map(CallsState.Growing::new).orElse(new CallsState.Storing(0, expected)));
                }
                Thread.sleep(OTHER_MILLIS);
                if (monitor.isCanceled()) {
                    throw new CancellationException();
                }
                made = made(monitor);
            }
            synchronized (this) {
                result = made;
            }
            states.accept(this, new CallsState.Stored(made.get()));
            return Status.OK_STATUS;
        } catch (SessionException e) {
            fail(e.getMessage());
            return Status.OK_STATUS;
        } catch (CancellationException | InterruptedException e) {
            return Status.CANCEL_STATUS;
        } catch (OutOfMemoryError e) {
            // Of one job; what it held is free again.
            fail("There is too little memory to store the calls of " + path
                    + ": close what else is open, or give the workbench more with KVIEW_JVM_OPTIONS=-Xmx2g");
            return Status.OK_STATUS;
        } catch (RuntimeException | Error e) {
            ILog.of(getClass()).log(new Status(IStatus.ERROR, KviewUi.BUNDLE_ID, SafeText.line("The calls of " + path
                    + " can't be stored"), e));
            fail("The calls of " + path + " can't be stored, by a mistake in this program;"
                    + " Help > About > Error log says more");
            return Status.OK_STATUS;
        }
    }

    private Optional<SessionCallStore> made(IProgressMonitor monitor) throws SessionException {
        return SessionCallStore.of(session, path, stores, stored -> {
            if (System.nanoTime() - toldNanos > TELL_NANOS) {
                toldNanos = System.nanoTime();
                int done = expected == 0 ? 0 : (int) Math.min(TICKS, (double) stored / expected * TICKS);
                monitor.worked(Math.max(0, done - ticks));
                ticks = Math.max(ticks, done);
                if (!growing && before.isEmpty()) {
                    states.accept(this, new CallsState.Storing(stored, expected));
                }
            }
            return !monitor.isCanceled() && goesOn.test(stored);
        }, new StoringListener() {
            @Override
            public void growing(SessionCallStore soFar) {
                if (before.isEmpty() || count(soFar) >= count(before.get())) {
                    growing = true;
                    states.accept(StoreJob.this, new CallsState.Growing(soFar));
                }
            }

            @Override
            public void left(SessionCallStore soFar) {
                synchronized (StoreJob.this) {
                    part = Optional.of(soFar);
                }
            }
        }, anew);
    }
}
