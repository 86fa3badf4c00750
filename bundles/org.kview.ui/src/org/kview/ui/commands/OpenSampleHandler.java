// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import java.io.IOException;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.ui.handlers.HandlerUtil;
import org.kview.model.SafeText;
import org.kview.ui.session.SampleSession;
import org.kview.ui.session.SessionController;

/** Opens the recording that comes with the workbench. */
public final class OpenSampleHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        try {
            SessionController.get().open(SampleSession.inWorkspace());
        } catch (IOException e) {
            MessageDialog.openError(HandlerUtil.getActiveShell(event), "Open Sample",
                    SafeText.lines("The sample can't be written to the workspace: " + e.getMessage() + ". Make the workspace writable."));
        }
        return null;
    }
}
