// SPDX-License-Identifier: EPL-2.0
import java.lang.management.ManagementFactory;
import java.util.Locale;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.timestamp.ITmfTimestamp;
import org.eclipse.tracecompass.tmf.core.trace.ITmfContext;
import org.eclipse.tracecompass.tmf.core.trace.indexer.ITmfTraceIndexer;
import org.eclipse.tracecompass.tmf.core.trace.indexer.checkpoint.TmfCheckpointIndexer;
import org.eclipse.tracecompass.tmf.ctf.core.trace.CtfTmfTrace;

import com.sun.management.OperatingSystemMXBean;

/**
 * Run by bench/call-store: TRACE. Trace Compass goes through all events, as it does to index a trace. The index itself, some
 * thousand places, is left out: it needs a workspace.
 */
final class CompassIndex {
    private static final OperatingSystemMXBean SYSTEM = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private CompassIndex() {
    }

    public static void main(String[] arguments) throws Exception {
        long begin = System.nanoTime();
        CtfTmfTrace trace = new CtfTmfTrace() {
            @Override
            protected ITmfTraceIndexer createIndexer(int interval) {
                return new TmfCheckpointIndexer(this, interval) {
                    @Override
                    public void updateIndex(ITmfContext context, ITmfTimestamp time) {
                        // See above.
                    }
                };
            }
        };
        trace.initTrace(null, arguments[0], ITmfEvent.class);
        ITmfContext context = trace.seekEvent(0L);
        long events = 0;
        while (trace.getNext(context) != null) {
            events++;
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.printf(Locale.ROOT, "Trace Compass's index: %,d events, %.1f s, %.2f M events/s, %.2f M events for each second on a CPU%n", events,
                seconds, events / seconds / 1e6, events * 1e3 / SYSTEM.getProcessCpuTime());
        trace.dispose();
        // Its threads are no daemons.
        System.exit(0);
    }
}
