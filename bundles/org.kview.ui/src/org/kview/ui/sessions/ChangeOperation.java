// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

import org.eclipse.core.commands.operations.AbstractOperation;
import org.eclipse.core.runtime.IAdaptable;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.library.SessionChange;
import org.kview.ui.KviewUi;
import org.kview.ui.notes.NotesService;
import org.kview.ui.session.MonitorProgress;
import org.kview.ui.session.SessionController;

/** A change to sessions as Eclipse's history of operations keeps it. Runs in a job. */
final class ChangeOperation extends AbstractOperation {
    private static final int TICKS = 1000;

    private final Consumer<List<Path>> done;
    /** What to do next: the change, then its inverse, then that one's. */
    private Optional<SessionChange> next;

    ChangeOperation(String label, SessionChange change, Consumer<List<Path>> done) {
        super(label);
        this.done = done;
        next = Optional.of(change);
    }

    @Override
    public boolean canUndo() {
        return next.isPresent();
    }

    @Override
    public boolean canRedo() {
        return next.isPresent();
    }

    @Override
    public IStatus execute(IProgressMonitor monitor, IAdaptable info) {
        return apply(monitor);
    }

    @Override
    public IStatus undo(IProgressMonitor monitor, IAdaptable info) {
        return apply(monitor);
    }

    @Override
    public IStatus redo(IProgressMonitor monitor, IAdaptable info) {
        return apply(monitor);
    }

    private IStatus apply(IProgressMonitor monitor) {
        SessionChange change = next.orElseThrow();
        monitor.beginTask(SafeText.line(getLabel()), TICKS);
        try {
            NotesService.get().flush();
            SessionChange.Done result = SessionController.get().whileClosed(change.leaving(),
                    () -> change.apply(new MonitorProgress(monitor, TICKS)));
            next = result.inverse();
            done.accept(result.sessions());
            // The history forgets an operation that failed; this one was done in part and can be undone.
            return result.failure().map(e -> (IStatus) new Status(IStatus.WARNING, KviewUi.BUNDLE_ID, SafeText.lines(e.getMessage())))
                    .orElse(Status.OK_STATUS);
        } catch (CancellationException e) {
            return Status.CANCEL_STATUS;
        } catch (SessionException e) {
            return new Status(IStatus.ERROR, KviewUi.BUNDLE_ID, SafeText.lines(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Status.CANCEL_STATUS;
        } finally {
            monitor.done();
        }
    }
}
