// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.wizard.IWizard;
import org.eclipse.jface.wizard.WizardDialog;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Shell;

/** The dialog of the wizards that start recordings: their last button says so. */
final class RecordDialog extends WizardDialog {
    RecordDialog(Shell parent, IWizard wizard) {
        super(parent, wizard);
    }

    @Override
    protected void createButtonsForButtonBar(Composite parent) {
        super.createButtonsForButtonBar(parent);
        getButton(IDialogConstants.FINISH_ID).setText("&Record");
    }
}
