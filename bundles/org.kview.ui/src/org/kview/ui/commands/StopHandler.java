// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import org.eclipse.core.commands.AbstractHandler;
import org.eclipse.core.commands.ExecutionEvent;
import org.kview.ui.session.SessionController;

/** Ends the recording; its session stays. */
public final class StopHandler extends AbstractHandler {
    @Override
    public Object execute(ExecutionEvent event) {
        SessionController.get().stopRecording();
        return null;
    }
}
