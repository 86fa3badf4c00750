// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.event.aspect.ITmfEventAspect;

/** The stream's file. Trace Compass expects null where an event does not have the aspect. */
final class ChannelAspect implements ITmfEventAspect<String> {
    @Override
    public String getName() {
        return "Channel";
    }

    @Override
    public String getHelpText() {
        return "The file of the stream in which the event stands";
    }

    @Override
    public String resolve(ITmfEvent event) {
        return event instanceof StreamEvent of ? of.channel() : null;
    }
}
