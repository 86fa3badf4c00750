// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.Optional;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.PlatformUI;
import org.kview.model.LatencySnapshot;
import org.kview.model.SafeText;
import org.kview.recording.template.RecordingTemplate;
import org.kview.session.read.SessionSummary;
import org.kview.targets.registry.TargetConnection;
import org.kview.ui.UiThread;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.targets.TargetService;

/** Opens the wizard on the open session's target, with its functions and options: it asks for the process. */
public final class RecordAgainHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        Shell shell = PlatformUI.getWorkbench().getActiveWorkbenchWindow().getShell();
        if (SessionService.get().state() instanceof SessionState.Opened opened) {
            new Look(shell, opened).schedule();
        }
        return null;
    }

    /** Finds out whether the session has events; it may lie on a slow disk. */
    private static final class Look extends Job {
        private final Shell shell;
        private final SessionState.Opened opened;

        Look(Shell shell, SessionState.Opened opened) {
            super(SafeText.line("Look at " + SessionSummary.name(opened.session())));
            this.shell = shell;
            this.opened = opened;
        }

        @Override
        protected IStatus run(IProgressMonitor monitor) {
            boolean events = SessionSummary.read(opened.session()).events();
            UiThread.later(PlatformUI.getWorkbench().getDisplay(), () -> {
                if (!shell.isDisposed() && !monitor.isCanceled()) {
                    open(shell, opened, events);
                }
            });
            return Status.OK_STATUS;
        }
    }

    private static void open(Shell shell, SessionState.Opened opened, boolean events) {
        LatencySnapshot figures = opened.figures();
        String name = SessionSummary.name(opened.session());
        Optional<RecordingTemplate> template = RecordingTemplate.of("As in " + SafeText.line(name), figures, events);
        Optional<TargetConnection> target = TargetService.get().registry().find(figures.info().target());
        if (template.isEmpty()) {
            tell(shell, name + " can't be recorded again from here: its functions are those of several processes, or of another tool's trace.");
        } else if (target.isEmpty()) {
            tell(shell, name + " was recorded on " + figures.info().target() + ", which is not among the targets: add it there.");
        } else {
            Recordings.openWizard(shell, RecordWizard.Preset.of(target.get(), figures.info().cgroup().isPresent(), template.get()));
        }
    }

    private static void tell(Shell shell, String sentence) {
        MessageDialog.openInformation(shell, "Record Again", SafeText.line(sentence));
    }
}
