// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets.view;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.core.runtime.ILog;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.handlers.HandlerUtil;
import org.kview.ui.KviewUi;

/** Leads to the hosts that can be connected to. */
public final class ConnectHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        try {
            if (HandlerUtil.getActiveWorkbenchWindow(event).getActivePage().showView(KviewUi.VIEW_TARGETS) instanceof TargetsView view) {
                view.chooseHost();
            }
        } catch (PartInitException e) {
            ILog.of(getClass()).log(e.getStatus());
        }
        return null;
    }
}
