// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import java.util.HashMap;
import java.util.Map;

import org.eclipse.tracecompass.tmf.core.statesystem.ITmfStateProvider;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;

/** How long each thread ran on each CPU so far, as Trace Compass's analysis of CPU usage sums it up: it grows when a thread leaves. */
final class CpuTimes extends SwitchStates {
    private record Place(int cpu, int tid) {
    }

    private final Map<Place, Long> sums = new HashMap<>();
    private final Map<Integer, Long> since = new HashMap<>();

    CpuTimes(ITmfTrace trace) {
        super(trace, "CPU usage of a Kview recording");
    }

    @Override
    public ITmfStateProvider getNewInstance() {
        return new CpuTimes(getTrace());
    }

    @Override
    public void begins(int cpu, int tid, long nanos) {
        since.put(cpu, nanos);
        // A thread that never leaves has to be known as well.
        if (!sums.containsKey(new Place(cpu, tid))) {
            add(cpu, tid, 0, nanos);
        }
    }

    @Override
    public void ends(int cpu, int tid, long nanos) {
        add(cpu, tid, nanos - since.remove(cpu), nanos);
    }

    private void add(int cpu, int tid, long ran, long nanos) {
        long sum = sums.merge(new Place(cpu, tid), ran, Long::sum);
        states().modifyAttribute(nanos, sum, states().getQuarkAbsoluteAndAdd("CPUs", Integer.toString(cpu), Integer.toString(tid)));
    }
}
