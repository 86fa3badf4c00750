/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.trace;

import java.util.OptionalLong;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.kview.model.LatencyFormat;

/** A time as people read it, "1.93 ms". The event's contents hold the exact ns. */
abstract class NanosAspect extends EventAspect<String> {
    private final String field;

    NanosAspect(String name, String help, String field) {
        super(name, help + "; exact in ns among the contents");
        this.field = field;
    }

    @Override
    public final String resolve(ITmfEvent event) {
        OptionalLong nanos = KviewEvents.number(event, field);
        return nanos.isPresent() ? LatencyFormat.nanos(nanos.getAsLong()) : null;
    }
}
