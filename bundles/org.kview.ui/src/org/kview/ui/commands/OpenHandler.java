// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.jface.window.Window;
import org.eclipse.ui.handlers.HandlerUtil;
import org.kview.ui.session.OpenSessionDialog;
import org.kview.ui.session.RecentSessions;
import org.kview.ui.session.SessionController;

/** Asks which session to open, and opens it. */
public final class OpenHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        OpenSessionDialog dialog = new OpenSessionDialog(HandlerUtil.getActiveShell(event),
                RecentSessions.ofWorkspace().paths());
        if (dialog.open() == Window.OK) {
            dialog.session().ifPresent(SessionController.get()::open);
        }
        return null;
    }
}
