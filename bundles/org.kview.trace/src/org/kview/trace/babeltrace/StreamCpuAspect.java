// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.event.aspect.TmfCpuAspect;

/** On which CPU it was, where the packets of its stream say that. */
final class StreamCpuAspect extends TmfCpuAspect {
    @Override
    public Integer resolve(ITmfEvent event) {
        return event instanceof StreamEvent of && of.cpu() >= 0 ? of.cpu() : null;
    }
}
