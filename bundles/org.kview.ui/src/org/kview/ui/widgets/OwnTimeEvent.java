// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeEvent;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeGraphEntry;

/** An event that shows something of ours, and is equal to itself alone: what Trace Compass would compare does not have that. */
public abstract class OwnTimeEvent extends TimeEvent {
    /** Times in nanoseconds; value: what the presentation chooses the colour by. */
    protected OwnTimeEvent(TimeGraphEntry line, long beginNanos, long lengthNanos, int value) {
        super(line, beginNanos, lengthNanos, value);
    }

    @Override
    public final boolean equals(Object other) {
        return this == other;
    }

    @Override
    public final int hashCode() {
        return System.identityHashCode(this);
    }
}
