/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.commands;

import java.util.Optional;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.wizard.WizardDialog;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.handlers.HandlerUtil;
import org.kview.target.Target;
import org.kview.ui.record.LocalAgent;
import org.kview.ui.record.RecordWizard;
import org.kview.ui.session.SessionController;

/** Opens the wizard that starts a recording. */
public final class RecordHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        Shell shell = HandlerUtil.getActiveShell(event);
        Optional<Target> target = LocalAgent.target();
        if (target.isEmpty()) {
            MessageDialog.openError(shell, "Record on This Machine", LocalAgent.missing());
            return null;
        }
        RecordWizard wizard = new RecordWizard(target.get(), shell.getDisplay(), SessionController.get()::record);
        new WizardDialog(shell, wizard) {
            @Override
            protected void createButtonsForButtonBar(Composite parent) {
                super.createButtonsForButtonBar(parent);
                getButton(IDialogConstants.FINISH_ID).setText("Record");
            }
        }.open();
        return null;
    }
}
