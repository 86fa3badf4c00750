// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import java.util.OptionalLong;

import org.eclipse.tracecompass.analysis.os.linux.core.event.aspect.LinuxTidAspect;
import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.kview.ctf.EventField;

/** The thread that an event is about, in every event of a recording. */
final class ThreadAspect extends LinuxTidAspect {
    @Override
    public Integer resolve(ITmfEvent event) {
        OptionalLong tid = KviewEvents.number(event, EventField.TID);
        return tid.isPresent() ? (Integer) (int) tid.getAsLong() : null;
    }
}
