// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import org.eclipse.tracecompass.analysis.profiling.core.callstack.CallStackAnalysis;
import org.eclipse.tracecompass.tmf.core.statesystem.ITmfStateProvider;

/** The calls of a recording as stacks, for Flame Chart, Flame Graph and Trace Compass's durations of functions. */
public final class CallsAnalysis extends CallStackAnalysis {
    @Override
    protected ITmfStateProvider createStateProvider() {
        return new CallStackStates(getTrace());
    }
}
