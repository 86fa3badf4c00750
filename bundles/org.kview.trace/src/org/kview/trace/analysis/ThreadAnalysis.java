// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import org.eclipse.tracecompass.analysis.os.linux.core.kernel.KernelAnalysisModule;
import org.eclipse.tracecompass.tmf.core.statesystem.ITmfStateProvider;

/** The kernel analysis of a recording, for the views Control Flow and Resources. */
public final class ThreadAnalysis extends KernelAnalysisModule {
    @Override
    protected ITmfStateProvider createStateProvider() {
        return new ThreadStates(getTrace());
    }
}
