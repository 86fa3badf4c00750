/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.compare;

import java.nio.file.Path;
import java.util.Optional;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.handlers.HandlerUtil;
import org.kview.ui.session.OpenSessionDialog;
import org.kview.ui.session.RecentSessions;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;

/** Asks which session to compare the open one with; for both where none is open. */
public final class CompareHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        Shell shell = HandlerUtil.getActiveShell(event);
        Optional<Path> a = SessionService.get().state() instanceof SessionState.Opened opened
                ? Optional.of(opened.session()) : ask(shell, "Compare: choose the session before, A");
        a.flatMap(before -> ask(shell, "Compare " + CompareJob.name(before) + " (A) with: choose the session after, B")
                .map(after -> CompareView.open(HandlerUtil.getActiveWorkbenchWindow(event).getActivePage(), before, after)));
        return null;
    }

    private static Optional<Path> ask(Shell shell, String title) {
        OpenSessionDialog dialog = new OpenSessionDialog(shell, RecentSessions.ofWorkspace().paths(), title);
        return dialog.open() == Window.OK ? dialog.session() : Optional.empty();
    }
}
