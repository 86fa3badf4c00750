// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.util.Map;
import java.util.Optional;

/**
 * A stream of a trace, of which the events stand in the order of their times. Immutable.
 *
 * @param id                 its number within its trace
 * @param name               may be empty; of source.ctf.fs the path of its file
 * @param traceName          may be empty
 * @param environment        what the trace says of where it was recorded; values are text, whole numbers in decimal digits
 * @param clock              empty if its events have no times
 * @param packetContext      what each packet says of itself; a structure without members where there is none
 * @param commonEventContext what each event says beside its own fields; likewise
 */
public record TraceStream(long id, String name, String traceName, Map<String, String> environment, Optional<ClockClass> clock,
        FieldType packetContext, FieldType commonEventContext) {
    public TraceStream {
        environment = Map.copyOf(environment);
    }
}
