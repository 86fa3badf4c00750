// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

import org.eclipse.core.commands.ExecutionException;
import org.eclipse.core.commands.operations.IOperationHistory;
import org.eclipse.core.commands.operations.IUndoContext;
import org.eclipse.core.commands.operations.IUndoableOperation;
import org.eclipse.core.commands.operations.ObjectUndoContext;
import org.eclipse.core.commands.operations.OperationHistoryFactory;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.ISchedulingRule;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.library.SessionChange;
import org.kview.ui.KviewUi;

/** Runs changes to sessions as jobs, one after the other, and takes them back. */
final class SessionChanges {
    private static final IUndoContext CONTEXT = new ObjectUndoContext(new Object(), "Sessions");

    private static final ISchedulingRule ONE_AT_A_TIME = new ISchedulingRule() {
        @Override
        public boolean isConflicting(ISchedulingRule rule) {
            return rule == this;
        }

        @Override
        public boolean contains(ISchedulingRule rule) {
            return rule == this;
        }
    };

    private SessionChanges() {
    }

    private static IOperationHistory history() {
        return OperationHistoryFactory.getOperationHistory();
    }

    /** @param done hears, on the job's thread, where the changed sessions are */
    static Job run(String label, SessionChange change, Consumer<List<Path>> done) {
        ChangeOperation operation = new ChangeOperation(label, change, done);
        operation.addContext(CONTEXT);
        return schedule(label, monitor -> history().execute(operation, monitor, null));
    }

    static boolean canUndo() {
        return history().canUndo(CONTEXT);
    }

    static boolean canRedo() {
        return history().canRedo(CONTEXT);
    }

    /** "Undo Delete of 3 sessions"; "Undo" if there is nothing. */
    static String undoLabel() {
        return label("Undo", history().getUndoOperation(CONTEXT));
    }

    static String redoLabel() {
        return label("Redo", history().getRedoOperation(CONTEXT));
    }

    private static String label(String verb, IUndoableOperation operation) {
        return operation == null ? verb : verb + " " + operation.getLabel();
    }

    static Job undo() {
        return schedule(undoLabel(), monitor -> history().undo(CONTEXT, monitor, null));
    }

    static Job redo() {
        return schedule(redoLabel(), monitor -> history().redo(CONTEXT, monitor, null));
    }

    /** Something that can't be undone. */
    @FunctionalInterface
    interface Final {
        void run() throws SessionException;
    }

    static Job work(String label, Final work) {
        return schedule(label, monitor -> {
            try {
                work.run();
                return Status.OK_STATUS;
            } catch (SessionException e) {
                return new Status(IStatus.ERROR, KviewUi.BUNDLE_ID, SafeText.lines(e.getMessage()), e);
            }
        });
    }

    @FunctionalInterface
    private interface Work {
        IStatus run(IProgressMonitor monitor) throws ExecutionException;
    }

    private static Job schedule(String label, Work work) {
        Job job = new Job(SafeText.line(label)) {
            @Override
            protected IStatus run(IProgressMonitor monitor) {
                try {
                    return work.run(monitor);
                } catch (ExecutionException e) {
                    return new Status(IStatus.ERROR, KviewUi.BUNDLE_ID, SafeText.lines(e.getMessage()), e);
                }
            }
        };
        job.setRule(ONE_AT_A_TIME);
        job.setUser(true);
        job.schedule();
        return job;
    }
}
