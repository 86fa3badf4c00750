// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.nio.file.Path;

import org.eclipse.jface.wizard.Wizard;
import org.eclipse.jface.wizard.WizardDialog;
import org.eclipse.swt.widgets.Shell;
import org.kview.model.Budget;
import org.kview.ui.Ui;

/** A wizard that is open, filled in as a picture or an end-to-end test wants it. */
public abstract sealed class PosedWizard<W extends Wizard> permits WizardPose, HostsPose {
    private final W wizard;
    private final WizardDialog dialog;

    /** Opens it. On the UI thread. */
    PosedWizard(W wizard) {
        this.wizard = wizard;
        dialog = new RecordDialog(Ui.page().getWorkbenchWindow().getShell(), wizard);
        dialog.setBlockOnOpen(false);
        dialog.open();
    }

    abstract OptionsPage optionsPage();

    W wizard() {
        return wizard;
    }

    WizardDialog dialog() {
        return dialog;
    }

    public Shell shell() {
        return Ui.get(dialog::getShell);
    }

    public void chooseOptions(Path folder, String name) {
        Ui.run(() -> {
            dialog.showPage(optionsPage());
            optionsPage().setPlace(folder.toString(), name);
        });
    }

    /** For programs that do little else than call the measured functions; after the options were chosen. */
    public void withoutBudget() {
        Ui.run(() -> optionsPage().setBudget(Budget.NONE));
    }

    /** Also for what calls wait, and who wakes them; after the options were chosen. */
    public void withWaits() {
        Ui.run(() -> optionsPage().setWaits(true));
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
