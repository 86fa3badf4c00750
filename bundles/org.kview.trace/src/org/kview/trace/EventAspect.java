// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import org.eclipse.tracecompass.tmf.core.event.aspect.ITmfEventAspect;

/** An aspect with a fixed name and help text. Trace Compass expects null where an event does not have the aspect. */
abstract class EventAspect<T> implements ITmfEventAspect<T> {
    private final String name;
    private final String help;

    EventAspect(String name, String help) {
        this.name = name;
        this.help = help;
    }

    @Override
    public final String getName() {
        return name;
    }

    @Override
    public final String getHelpText() {
        return help;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof EventAspect<?> aspect && aspect.name.equals(name);
    }

    @Override
    public final int hashCode() {
        return name.hashCode();
    }
}
