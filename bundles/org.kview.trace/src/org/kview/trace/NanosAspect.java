// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import java.util.OptionalLong;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.kview.ctf.EventField;

/** An aspect that is a time: a number, shown as "1.93 ms". The event's contents show the exact ns. */
abstract class NanosAspect extends EventAspect<Nanos> {
    private final EventField field;

    NanosAspect(String name, String help, EventField field) {
        super(name, help + "; exact in ns among the contents");
        this.field = field;
    }

    @Override
    public final Nanos resolve(ITmfEvent event) {
        OptionalLong nanos = KviewEvents.number(event, field);
        return nanos.isPresent() ? new Nanos(nanos.getAsLong()) : null;
    }
}
