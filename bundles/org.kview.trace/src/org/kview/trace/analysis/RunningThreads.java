// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import org.eclipse.tracecompass.tmf.core.statesystem.ITmfStateProvider;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;

/**
 * The number of the thread that runs on each CPU. While none of the recorded ones does it is 0, the idle thread's: else Trace Compass
 * would count that time for all threads.
 */
final class RunningThreads extends SwitchStates {
    RunningThreads(ITmfTrace trace) {
        super(trace, "CPUs of a Kview recording");
    }

    @Override
    public ITmfStateProvider getNewInstance() {
        return new RunningThreads(getTrace());
    }

    @Override
    public void begins(int cpu, int tid, long nanos) {
        set(cpu, tid, nanos);
    }

    @Override
    public void ends(int cpu, int tid, long nanos) {
        set(cpu, 0, nanos);
    }

    private void set(int cpu, int tid, long nanos) {
        int known = states().getNbAttributes();
        int quark = states().getQuarkAbsoluteAndAdd(Integer.toString(cpu));
        if (quark >= known) {
            states().modifyAttribute(getStartTime(), 0, quark);
        }
        states().modifyAttribute(nanos, tid, quark);
    }
}
