// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.trace.ITmfContext;
import org.eclipse.tracecompass.tmf.ctf.core.event.CtfTmfEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.EventField;
import org.kview.ctf.EventKind;

/**
 * Reads what the agent recorded of the demo workload: two seconds of price_basket and flush_cache.
 * The expected figures come from babeltrace2.
 */
class RecordedTraceTest {
    private static final int EVENTS = 7271;
    private static final long FIRST_NANOS = 1_795_229_043_879_260_096L;
    private static final long LAST_NANOS = 1_795_229_045_971_212_485L;

    @TempDir
    Path folder;

    private KviewTrace open() throws Exception {
        for (String file : new String[] {"metadata", "cpu_0", "cpu_1"}) {
            try (InputStream in = RecordedTraceTest.class.getResourceAsStream("data/recorded/" + file)) {
                Files.copy(in, folder.resolve(file));
            }
        }
        KviewTrace trace = new KviewTrace();
        assertThat(trace.validate(null, folder.toString()).isOK()).isTrue();
        trace.initTrace(null, folder.toString(), CtfTmfEvent.class);
        return trace;
    }

    @Test
    void readsEveryEventThatBabeltraceReadsAtTheSameTimes() throws Exception {
        KviewTrace trace = open();
        Map<String, Integer> counts = new TreeMap<>();
        long first = 0;
        long last = 0;
        int events = 0;
        ITmfContext context = trace.seekEvent(0);
        for (ITmfEvent event = trace.getNext(context); event != null; event = trace.getNext(context)) {
            last = event.getTimestamp().toNanos();
            first = events++ == 0 ? last : first;
            counts.merge(event.getName(), 1, Integer::sum);
        }
        context.dispose();
        trace.dispose();
        assertThat(events).isEqualTo(EVENTS);
        assertThat(first).isEqualTo(FIRST_NANOS);
        assertThat(last).isEqualTo(LAST_NANOS);
        assertThat(counts).containsKeys(EventKind.CALL_ENTRY.text(), EventKind.CALL_EXIT.text(), EventKind.SWITCH_OUT.text(),
                EventKind.SWITCH_IN.text(), EventKind.WAKEUP.text());
    }

    @Test
    void everyCallsTimeIsExplainedToTheNanosecond() throws Exception {
        KviewTrace trace = open();
        int calls = 0;
        ITmfContext context = trace.seekEvent(0);
        for (ITmfEvent event = trace.getNext(context); event != null; event = trace.getNext(context)) {
            if (event.getName().equals(EventKind.CALL_EXIT.text())) {
                calls++;
                long wall = KviewEvents.number(event, EventField.WALL).orElseThrow();
                long onCpu = KviewEvents.number(event, EventField.ON_CPU).orElseThrow();
                long causes = event.getContent().getField(EventField.CAUSES.text()).getFields().stream()
                        .mapToLong(cause -> KviewEvents.number(cause, EventField.NANOS).orElseThrow()).sum();
                assertThat(onCpu + causes).as(event.getContent().toString()).isEqualTo(wall);
            }
        }
        context.dispose();
        trace.dispose();
        assertThat(calls).isPositive();
    }
}
