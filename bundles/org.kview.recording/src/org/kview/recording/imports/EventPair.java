// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.util.List;
import java.util.Optional;

/**
 * The events that begin and end a call.
 *
 * @param entry event's name at a call's begin
 * @param exit  and at its end; on the same thread
 * @param name  the field that names the function; empty: one that is usual, otherwise the entry's name
 */
public record EventPair(String entry, String exit, Optional<String> name) {
    /** What programs tell that are compiled with -finstrument-functions and run with LTTng's library for it. */
    static final List<EventPair> USUAL = List.of(usual("lttng_ust_cyg_profile:"), usual("lttng_ust_cyg_profile_fast:"));

    private static EventPair usual(String provider) {
        return new EventPair(provider + "func_entry", provider + "func_exit", Optional.empty());
    }
}
