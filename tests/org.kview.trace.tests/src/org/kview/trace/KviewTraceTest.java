// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.eclipse.core.runtime.IStatus;
import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.filter.model.TmfFilterCompareNode;
import org.eclipse.tracecompass.tmf.core.project.model.TmfTraceType;
import org.eclipse.tracecompass.tmf.core.trace.ITmfContext;
import org.eclipse.tracecompass.tmf.core.trace.TraceValidationStatus;
import org.eclipse.tracecompass.tmf.ctf.core.event.CtfTmfEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KviewTraceTest {
    /** The number by which filters say "greater than". */
    private static final int GREATER = 1;

    @TempDir
    Path folder;

    @Test
    void isChosenAmongAllTraceTypes() throws Exception {
        TraceFixture.write(folder, "kview", 3);
        var types = TmfTraceType.selectTraceType(folder.toString(), null);
        assertThat(types).isNotEmpty();
        assertThat(types.getFirst().getTraceTypeId()).isEqualTo(KviewTrace.TYPE_ID);
    }

    @Test
    void leavesOtherTracersTracesAlone() throws Exception {
        TraceFixture.write(folder, "lttng-modules", 3);
        IStatus status = validate();
        assertThat(status.getSeverity()).isEqualTo(IStatus.ERROR);
        assertThat(status.getMessage()).contains(folder.toString()).contains("not one that Kview recorded");
    }

    @Test
    void isSureOfItsOwn() throws Exception {
        TraceFixture.write(folder, "kview", 1);
        assertThat(validate()).isInstanceOfSatisfying(TraceValidationStatus.class,
                status -> assertThat(status.getConfidence()).isGreaterThan(100));
    }

    private IStatus validate() {
        KviewTrace trace = new KviewTrace();
        try {
            return trace.validate(null, folder.toString());
        } finally {
            trace.dispose();
        }
    }

    @Test
    void tellsOfACallWhatPeopleAsk() throws Exception {
        TraceFixture.write(folder, "kview", 2);
        List<Map<String, String>> events = ShownEvents.of(folder);
        assertThat(events).hasSize(10);
        assertThat(events.get(0)).containsEntry("TID", "77").containsEntry("Function", "store")
                .containsEntry("Event type", "kview:call_entry").containsEntry("Depth", "0").doesNotContainKey("Cause");
        assertThat(events.get(1)).containsEntry("Cause", "lock").doesNotContainKey("Wall-clock");
        assertThat(events.get(2).get("Contents")).contains("waker_comm=holder");
        assertThat(events.get(3)).containsEntry("Off-CPU", "4.90 ms").containsEntry("Queued", "100 µs");
        assertThat(events.get(4)).containsEntry("Wall-clock", "5.30 ms").containsEntry("On-CPU", "400 µs")
                .containsEntry("Cause", "lock 4.80 ms").containsEntry("CPU", "0");
    }

    /** The table shows times with units, and filters compare their values. */
    @Test
    void filtersCompareTimesAsNumbers() throws Exception {
        TraceFixture.write(folder, "kview", 2);
        assertThat(callsWithWall(GREATER, 5_000_000)).isEqualTo(2);
        assertThat(callsWithWall(GREATER, 5_300_000)).isZero();
        assertThat(callsWithWall(0, 5_300_000)).isEqualTo(2);
        assertThat(callsWithWall(-GREATER, 5_000_000)).isZero();
    }

    private int callsWithWall(int comparison, long nanos) throws Exception {
        KviewTrace trace = new KviewTrace();
        try {
            trace.initTrace(null, folder.toString(), CtfTmfEvent.class);
            TmfFilterCompareNode filter = new TmfFilterCompareNode(null);
            trace.getEventAspects().forEach(aspect -> {
                if (aspect.getName().equals("Wall-clock")) {
                    filter.setEventAspect(aspect);
                }
            });
            filter.setType(TmfFilterCompareNode.Type.NUM);
            filter.setResult(comparison);
            filter.setValue(Long.toString(nanos));
            int matching = 0;
            ITmfContext context = trace.seekEvent(0);
            for (ITmfEvent event = trace.getNext(context); event != null; event = trace.getNext(context)) {
                matching += filter.matches(event) ? 1 : 0;
            }
            context.dispose();
            return matching;
        } finally {
            trace.dispose();
        }
    }
}
