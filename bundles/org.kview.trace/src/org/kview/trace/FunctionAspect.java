/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.trace;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;

/** The function that was entered or left. */
final class FunctionAspect extends EventAspect<String> {
    FunctionAspect() {
        super("Function", "The probed function that was entered or left");
    }

    @Override
    public String resolve(ITmfEvent event) {
        return KviewEvents.label(event, KviewEvents.FUNCTION).orElse(null);
    }
}
