// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import java.util.List;

import org.eclipse.tracecompass.analysis.os.linux.core.cpuusage.KernelCpuUsageAnalysis;
import org.eclipse.tracecompass.tmf.core.analysis.requirements.TmfAbstractAnalysisRequirement;
import org.eclipse.tracecompass.tmf.core.statesystem.ITmfStateProvider;

/** How much of the CPUs the recorded process used. */
public final class CpuUsageAnalysis extends KernelCpuUsageAnalysis {
    @Override
    protected ITmfStateProvider createStateProvider() {
        return new CpuTimes(getTrace());
    }

    @Override
    public Iterable<TmfAbstractAnalysisRequirement> getAnalysisRequirements() {
        return List.of();
    }
}
