// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import org.eclipse.tracecompass.analysis.os.linux.core.tid.TidAnalysisModule;
import org.eclipse.tracecompass.tmf.core.statesystem.ITmfStateProvider;

/** Which thread runs on a CPU, as the CPU Usage view needs it. */
public final class RunningThreadAnalysis extends TidAnalysisModule {
    @Override
    protected ITmfStateProvider createStateProvider() {
        return new RunningThreads(getTrace());
    }
}
