// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiConsumer;

import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.calls.LiveCalls;
import org.kview.session.read.SessionReader;
import org.kview.session.store.CallStores;
import org.kview.ui.KviewUi;

/** Shows the calls of a recording that goes on, until it is cancelled, or has ended and its calls were kept. */
final class LiveJob extends Job {
    private static final long RETRY_MILLIS = 500;
    private static final String LATER = " They are there when the recording has ended.";

    private final Path recording;
    private final Instant start;
    private final LiveCalls calls;
    private final BiConsumer<Job, CallsState> states;
    private volatile CallsState last = new CallsState.None();

    /**
     * @param recording the session's folder, which may not be there yet
     * @param start     when it began
     */
    LiveJob(Path recording, Instant start, CallStores stores, BiConsumer<Job, CallsState> states) {
        super(SafeText.line("Show the calls of " + recording.getFileName() + " while it is recorded"));
        this.recording = recording;
        this.start = start;
        calls = new LiveCalls(recording, stores);
        this.states = states;
        setSystem(true);
        setPriority(Job.LONG);
    }

    Path recording() {
        return recording;
    }

    /** Another one may have been recorded at that place since, when this one was removed. */
    boolean isOf(Path path, Instant began) {
        return recording.equals(path) && start.equals(began);
    }

    LiveCalls calls() {
        return calls;
    }

    /** What it told last; good while it runs. */
    CallsState last() {
        return last;
    }

    private void tell(CallsState state) {
        last = state;
        states.accept(this, state);
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
        try {
            while (!monitor.isCanceled()) {
                if (calls.hasTrace() && follow(monitor)) {
                    break;
                }
                Thread.sleep(RETRY_MILLIS);
            }
            return Status.OK_STATUS;
        } catch (SessionException e) {
            fail(e.getMessage() + ".");
        } catch (InterruptedException e) {
            return Status.CANCEL_STATUS;
        } catch (OutOfMemoryError e) {
            fail("There is too little memory to show calls while they are recorded.");
        } catch (RuntimeException | Error e) {
            ILog.of(getClass()).log(new Status(IStatus.ERROR, KviewUi.BUNDLE_ID, SafeText.line("The calls of " + recording
                    + " can't be shown while it is recorded"), e));
            fail("The calls can't be shown while they are recorded, by a mistake in this program; Help > About > Error log says more.");
        }
        return Status.OK_STATUS;
    }

    private void fail(String why) {
        tell(new CallsState.Failed(why + LATER));
    }

    /** Says whether that is over; otherwise it is not known yet what there is to follow. */
    private boolean follow(IProgressMonitor monitor) throws SessionException {
        Optional<SessionReader> opened = reader();
        if (opened.isEmpty()) {
            return false;
        }
        try (SessionReader session = opened.get()) {
            if (!LiveCalls.canFollow(session)) {
                // Of several hosts it never can.
                return !session.snapshot().hosts().isEmpty();
            }
            calls.follow(session, () -> !monitor.isCanceled(), soFar -> tell(new CallsState.Growing(soFar)));
            if (!monitor.isCanceled() && !calls.isOver()) {
                fail("There is too little room on the disk to show calls while they are recorded.");
            }
            return true;
        }
    }

    /** Empty until its files are there. */
    private Optional<SessionReader> reader() {
        try {
            return Optional.of(SessionReader.open(recording));
        } catch (SessionException e) {
            return Optional.empty();
        }
    }
}
