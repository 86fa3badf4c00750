// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf.calls;

import java.util.List;

/**
 * What was found of a trace while its calls were read.
 *
 * @param calls         how many ended
 * @param withoutEnd    how many began and did not end: left without a return, or still running at the end. 0 where something is
 *                      missing of the trace, as it is not known then
 * @param lostEvents    events that are known to be missing between others
 * @param lostPackets   packets that are missing
 * @param damages       places that can't be read
 * @param damage        a sentence for each of the first ones; {@link org.kview.model.SafeText}
 * @param unknownCauses calls with causes that this version does not know
 * @param unnamed       calls whose thread has no name in the trace
 * @param forgot        whether more threads or open calls were told of than a process has, so that names and enclosing calls were
 *                      given up
 */
public record TraceFindings(long calls, long withoutEnd, long lostEvents, long lostPackets, long damages, List<String> damage,
        long unknownCauses, long unnamed, boolean forgot) {
    public TraceFindings {
        damage = List.copyOf(damage);
    }
}
