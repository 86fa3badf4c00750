// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.wizard.IWizard;
import org.eclipse.swt.widgets.Shell;
import org.kview.model.SafeText;
import org.kview.recording.ConnectedHosts;
import org.kview.recording.RecordingRequest;
import org.kview.recording.ScopeSpec;
import org.kview.targets.registry.TargetConnection;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.targets.TargetService;

/** Starts recordings, by the wizard. */
public final class Recordings {
    private Recordings() {
    }

    /** Opens the wizard on this machine. */
    public static void openWizard(Shell shell) {
        TargetService targets = TargetService.get();
        targets.local().ifPresentOrElse(local -> openWizard(shell, RecordWizard.Preset.of(local)),
                () -> MessageDialog.openError(shell, "Record", SafeText.lines(targets.problem())));
    }

    public static void openWizard(Shell shell, RecordWizard.Preset preset) {
        open(shell, () -> new RecordWizard(TargetService.get().registry().connections(), preset,
                TemplateMenu.ofWorkspace(), shell.getDisplay(), Recordings::start));
    }

    /** Opens the wizard that records the same on several hosts. */
    public static void openWizard(Shell shell, List<TargetConnection> targets) {
        open(shell, () -> new HostsWizard(targets, TemplateMenu.ofWorkspace().list().templates(), Recordings::start));
    }

    private static void open(Shell shell, Supplier<IWizard> wizard) {
        SessionService sessions = SessionService.get();
        if (sessions.recording().isPresent() || sessions.state() instanceof SessionState.Busy) {
            MessageDialog.openInformation(shell, "Record",
                    "The workbench is busy with another recording or session; stop that first, or wait for its end.");
        } else {
            new RecordDialog(shell, wizard.get()).open();
        }
    }

    /** Records, and shows that at the target as long as it goes on. */
    public static void start(TargetConnection target, ScopeSpec scope, RecordingRequest request) {
        start(List.of(target), scope, request);
    }

    /** The same on all targets, into one session. */
    public static void start(List<TargetConnection> targets, ScopeSpec scope, RecordingRequest request) {
        String session = SessionController.name(request.folder());
        List<Runnable> ended = new ArrayList<>(targets.stream().map(target -> target.recording(session)).toList());
        ended.add(new LostTargets(targets)::close);
        SessionController.get().record(
                targets.stream().map(target -> new ConnectedHosts.Host(target.target(), scope)).toList(), request,
                () -> ended.forEach(Runnable::run));
    }
}
