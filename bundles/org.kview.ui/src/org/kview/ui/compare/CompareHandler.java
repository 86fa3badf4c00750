// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.compare;

import java.nio.file.Path;
import java.util.List;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.ui.handlers.HandlerUtil;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;

/** Asks what to compare. The open session is proposed as the one before. */
public final class CompareHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        List<Path> a = SessionService.get().state() instanceof SessionState.Opened opened ? List.of(opened.session())
                : List.of();
        CompareDialog dialog = new CompareDialog(HandlerUtil.getActiveShell(event), a, List.of());
        dialog.open();
        dialog.chosen().ifPresent(c -> CompareView.open(HandlerUtil.getActiveWorkbenchWindow(event).getActivePage(), c));
        return null;
    }
}
