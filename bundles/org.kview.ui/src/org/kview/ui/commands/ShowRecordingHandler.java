// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.kview.ui.session.SessionController;

/** Goes back from another session to the recording that runs. */
public final class ShowRecordingHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        SessionController.get().close();
        return null;
    }
}
