// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.compare;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PlatformUI;
import org.kview.model.SafeText;
import org.kview.model.SessionInfo;
import org.kview.session.SessionException;
import org.kview.session.library.EarlierSession;
import org.kview.session.library.SessionLibrary;
import org.kview.session.read.SessionSummary;
import org.kview.ui.UiThread;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;

/** Compares the open session with the last one before it of the same program, in the same folder. */
public final class ComparePreviousHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        IWorkbenchWindow window = PlatformUI.getWorkbench().getActiveWorkbenchWindow();
        if (SessionService.get().state() instanceof SessionState.Opened opened) {
            new Search(window, opened.session()).schedule();
        }
        return null;
    }

    /** A folder may hold many sessions. */
    private static final class Search extends Job {
        private final IWorkbenchWindow window;
        private final Path session;

        Search(IWorkbenchWindow window, Path session) {
            super("Look for an earlier session");
            this.window = window;
            this.session = session.toAbsolutePath().normalize();
        }

        @Override
        protected IStatus run(IProgressMonitor monitor) {
            try {
                SessionSummary own = SessionSummary.read(session);
                List<SessionSummary> all = new SessionLibrary(session.getParent()).scan(_ -> { });
                Optional<Path> before = EarlierSession.before(own, all);
                tell(before.isPresent() ? "" : "In " + session.getParent() + " there is no earlier session of "
                        + own.info().map(EarlierSession::program).orElse("this program") + " on "
                        + own.info().map(SessionInfo::target).orElse("this target") + " with one of its functions.", before);
            } catch (SessionException e) {
                tell(e.getMessage(), Optional.empty());
            }
            return Status.OK_STATUS;
        }

        private void tell(String problem, Optional<Path> before) {
            UiThread.later(window.getWorkbench().getDisplay(), () -> {
                if (window.getShell() == null || window.getShell().isDisposed()) {
                    return;
                }
                before.ifPresentOrElse(path -> CompareView.open(window.getActivePage(), new ComparedPaths(List.of(path), List.of(session))),
                        () -> MessageDialog.openInformation(window.getShell(), "Compare with Previous", SafeText.line(problem)));
            });
        }
    }
}
