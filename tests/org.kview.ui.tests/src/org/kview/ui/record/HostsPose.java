/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.record;

import java.nio.file.Path;
import java.util.List;

import org.eclipse.jface.wizard.WizardDialog;
import org.kview.recording.template.RecordingTemplate;
import org.kview.target.registry.TargetConnection;
import org.kview.ui.Ui;

/** The wizard for several hosts, opened and filled in as a user would. */
public final class HostsPose {
    private final HostsWizard wizard;
    private final WizardDialog dialog;

    private HostsPose(HostsWizard wizard, WizardDialog dialog) {
        this.wizard = wizard;
        this.dialog = dialog;
    }

    public static HostsPose open(List<TargetConnection> targets) {
        return open(targets, List.of());
    }

    static HostsPose open(List<TargetConnection> targets, List<RecordingTemplate> templates) {
        return Ui.get(() -> {
            HostsWizard wizard = new HostsWizard(targets, templates, Recordings::start);
            WizardDialog dialog = new WizardDialog(Ui.page().getWorkbenchWindow().getShell(), wizard);
            dialog.setBlockOnOpen(false);
            dialog.open();
            return new HostsPose(wizard, dialog);
        });
    }

    HostsWizard wizard() {
        return wizard;
    }

    public void choose(String process, String probes) {
        Ui.run(() -> wizard.hostsPage().set(process, probes));
    }

    public void chooseOptions(Path folder, String name) {
        Ui.run(() -> {
            dialog.showPage(wizard.optionsPage());
            wizard.optionsPage().setPlace(folder.toString(), name);
        });
    }

    public void record() {
        Ui.run(() -> {
            if (!wizard.canFinish()) {
                throw new IllegalStateException("The wizard can't be finished: " + dialog.getErrorMessage());
            }
            wizard.performFinish();
            dialog.close();
        });
    }

    public void cancel() {
        Ui.run(dialog::close);
    }
}
