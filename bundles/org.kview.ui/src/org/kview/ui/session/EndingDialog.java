// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import org.eclipse.jface.dialogs.Dialog;
import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.ProgressBar;
import org.eclipse.swt.widgets.Shell;
import org.kview.model.SafeText;

/** Is open while a recording ends before the workbench closes. Whoever closes it keeps the workbench open. */
final class EndingDialog extends Dialog {
    private static final int WIDTH = 380;

    private final String session;
    private boolean staying;

    EndingDialog(Shell parent, String session) {
        super(parent);
        this.session = session;
    }

    /** Whether the user wants the workbench to stay open. */
    boolean isStaying() {
        return staying;
    }

    @Override
    protected void configureShell(Shell shell) {
        super.configureShell(shell);
        shell.setText("Stopping the Recording");
    }

    @Override
    protected Control createDialogArea(Composite parent) {
        Composite area = (Composite) super.createDialogArea(parent);
        Label what = new Label(area, SWT.WRAP);
        what.setText(SafeText.lines("Removing the probes and saving " + session + ". The workbench closes after that."));
        GridDataFactory.fillDefaults().grab(true, false).hint(WIDTH, SWT.DEFAULT).applyTo(what);
        GridDataFactory.fillDefaults().grab(true, false).applyTo(new ProgressBar(area, SWT.HORIZONTAL | SWT.INDETERMINATE));
        return area;
    }

    @Override
    protected void createButtonsForButtonBar(Composite parent) {
        createButton(parent, IDialogConstants.CANCEL_ID, "&Keep Open", false);
    }

    @Override
    protected void cancelPressed() {
        staying = true;
        super.cancelPressed();
    }

    @Override
    protected void handleShellCloseEvent() {
        cancelPressed();
    }
}
