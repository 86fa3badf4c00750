// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

/**
 * A kind of events of a stream. There is one object for each kind of a graph, so that what is found out about it can be kept by
 * its identity.
 */
public final class EventClass {
    private final long id;
    private final String name;
    private final FieldType payload;
    private final FieldType context;

    EventClass(long id, String name, FieldType payload, FieldType context) {
        this.id = id;
        this.name = name;
        this.payload = payload;
        this.context = context;
    }

    /** Its number within its kind of streams. */
    public long id() {
        return id;
    }

    /** As in the trace: "sched_switch"; may be empty. */
    public String name() {
        return name;
    }

    /** The type of {@link Event#payload()}; a structure without members where there is none. */
    public FieldType payload() {
        return payload;
    }

    /** The type of {@link Event#context()}, likewise. */
    public FieldType context() {
        return context;
    }

    @Override
    public String toString() {
        return name;
    }
}
