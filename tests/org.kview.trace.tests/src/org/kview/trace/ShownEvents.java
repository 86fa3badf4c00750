// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.event.aspect.ITmfEventAspect;
import org.eclipse.tracecompass.tmf.core.trace.ITmfContext;
import org.eclipse.tracecompass.tmf.ctf.core.event.CtfTmfEvent;

/** What the event table shows for a trace. */
final class ShownEvents {
    private ShownEvents() {
    }

    /** The visible columns of each event, without those for which the event has no value. */
    static List<Map<String, String>> of(Path folder) throws Exception {
        KviewTrace trace = new KviewTrace();
        assertThat(trace.validate(null, folder.toString()).isOK()).isTrue();
        trace.initTrace(null, folder.toString(), CtfTmfEvent.class);
        List<Map<String, String>> events = new ArrayList<>();
        ITmfContext context = trace.seekEvent(0);
        for (ITmfEvent event = trace.getNext(context); event != null; event = trace.getNext(context)) {
            Map<String, String> columns = new LinkedHashMap<>();
            for (ITmfEventAspect<?> aspect : trace.getEventAspects()) {
                Object value = aspect.isHiddenByDefault() ? null : aspect.resolve(event);
                if (value != null) {
                    columns.put(aspect.getName(), value.toString());
                }
            }
            events.add(columns);
        }
        context.dispose();
        trace.dispose();
        return events;
    }
}
