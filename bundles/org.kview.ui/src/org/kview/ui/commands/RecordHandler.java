// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.eclipse.ui.handlers.HandlerUtil;
import org.kview.ui.record.Recordings;

/** Opens the wizard that starts a recording. */
public final class RecordHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        Recordings.openWizard(HandlerUtil.getActiveShell(event));
        return null;
    }
}
