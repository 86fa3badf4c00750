// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import java.util.OptionalLong;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.kview.ctf.EventField;

/** How many calls of probed functions enclose this one. */
final class DepthAspect extends EventAspect<Long> {
    DepthAspect() {
        super("Depth", "How many calls of probed functions enclose this one");
    }

    @Override
    public Long resolve(ITmfEvent event) {
        OptionalLong depth = KviewEvents.number(event, EventField.DEPTH);
        return depth.isPresent() ? (Long) depth.getAsLong() : null;
    }
}
