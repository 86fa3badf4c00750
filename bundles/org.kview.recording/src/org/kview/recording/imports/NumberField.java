// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.util.Optional;

import org.kview.babeltrace.Event;
import org.kview.babeltrace.Field;
import org.kview.babeltrace.FieldType;

/** Where a kind of events has a number or a text of a certain name. */
record NumberField(Place place, int index, boolean text) {
    private static final int MOST_TEXT_BYTES = 1000;

    enum Place {
        PAYLOAD, CONTEXT, COMMON
    }

    /** The first that there is: of the event's own fields before those of its contexts. */
    static Optional<NumberField> find(Event event, boolean texts, String... names) {
        for (String name : names) {
            for (Place place : Place.values()) {
                if (type(event, place) instanceof FieldType.Structure structure && structure.index(name) >= 0) {
                    int index = structure.index(name);
                    FieldType type = structure.members().get(index).type();
                    boolean number = type instanceof FieldType.Unsigned || type instanceof FieldType.Signed;
                    if (number || texts && type instanceof FieldType.Text) {
                        return Optional.of(new NumberField(place, index, !number));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static FieldType type(Event event, Place place) {
        return switch (place) {
            case PAYLOAD -> event.eventClass().payload();
            case CONTEXT -> event.eventClass().context();
            case COMMON -> event.stream().commonEventContext();
        };
    }

    private Field field(Event event) {
        Field structure = switch (place) {
            case PAYLOAD -> event.payload();
            case CONTEXT -> event.context();
            case COMMON -> event.commonContext();
        };
        return structure.member(index);
    }

    long of(Event event) {
        return field(event).number();
    }

    /** The text; a number as an address. */
    String textOf(Event event) {
        return text ? field(event).text(MOST_TEXT_BYTES) : "0x" + Long.toHexString(of(event));
    }
}
