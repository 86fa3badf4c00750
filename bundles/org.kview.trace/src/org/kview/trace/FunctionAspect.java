// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.kview.ctf.EventField;

/** The function that was entered or left. */
final class FunctionAspect extends EventAspect<String> {
    FunctionAspect() {
        super("Function", "The probed function that was entered or left");
    }

    @Override
    public String resolve(ITmfEvent event) {
        return KviewEvents.label(event, EventField.FUNCTION).orElse(null);
    }
}
