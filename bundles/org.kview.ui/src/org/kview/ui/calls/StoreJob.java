// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BiConsumer;

import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.model.LatencySnapshot;
import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.calls.SessionCallStore;
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
    private final long expected;
    private Optional<String> anew = Optional.empty();
    private Optional<SessionCallStore> result = Optional.empty();
    private long toldNanos = System.nanoTime();
    private int ticks;
    private boolean growing;

    /** @param live follows its recording, which has ended: what it stored is kept if it can be */
    StoreJob(SessionReader session, Path path, CallStores stores, BiConsumer<Job, CallsState> states, Optional<LiveJob> live) {
        super(SafeText.line("Store the calls of " + path.getFileName()));
        this.session = session;
        this.path = path;
        this.stores = stores;
        this.states = states;
        this.live = live;
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
            states.accept(this, new CallsState.Failed(e.getMessage() + "."));
            return Status.OK_STATUS;
        } catch (CancellationException | InterruptedException e) {
            return Status.CANCEL_STATUS;
        } catch (OutOfMemoryError e) {
            // Of one job; what it held is free again.
            states.accept(this, new CallsState.Failed("There is too little memory to store the calls of " + path
                    + ": close what else is open, or give the workbench more with KVIEW_JVM_OPTIONS=-Xmx2g."));
            return Status.OK_STATUS;
        } catch (RuntimeException | Error e) {
            ILog.of(getClass()).log(new Status(IStatus.ERROR, KviewUi.BUNDLE_ID, SafeText.line("The calls of " + path
                    + " can't be stored"), e));
            states.accept(this, new CallsState.Failed("The calls of " + path + " can't be stored, by a mistake in this program;"
                    + " Help > About > Error log says more."));
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
                if (!growing) {
                    states.accept(this, new CallsState.Storing(stored, expected));
                }
            }
            return !monitor.isCanceled();
        }, soFar -> {
            growing = true;
            states.accept(this, new CallsState.Growing(soFar));
        }, anew);
    }
}
