// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.tracecompass.analysis.graph.core.building.ITmfGraphProvider;
import org.eclipse.tracecompass.analysis.graph.core.building.TmfGraphBuilderModule;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;
import org.kview.trace.KviewTrace;

/** Which thread waited for which, for the view Critical Path. */
public final class ExecutionGraphAnalysis extends TmfGraphBuilderModule {
    /** The analysis's id. */
    public static final String ID = "org.kview.trace.execution";

    /** Trace Compass keeps the graph in memory, some 20 bytes for each of these. */
    private static final long MOST_TRACE_BYTES = 32L << 20;

    private ExecutionGraph provider;

    @Override
    protected ITmfGraphProvider getGraphProvider() {
        provider = new ExecutionGraph(getTrace());
        return provider;
    }

    /** Trace Compass waits for the last event, and not for what the provider adds then: the graph is not read before it is whole. */
    @Override
    protected boolean executeAnalysis(IProgressMonitor monitor) {
        if (!super.executeAnalysis(monitor)) {
            return false;
        }
        try {
            provider.awaitDone();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Also asked on the UI thread, which must not wait for a disk. */
    @Override
    public boolean canExecute(ITmfTrace trace) {
        return trace instanceof KviewTrace its && its.bytes() <= MOST_TRACE_BYTES;
    }

    @Override
    protected String getTraceCannotExecuteHelpText(ITmfTrace trace) {
        return "The events are more than " + (MOST_TRACE_BYTES >> 20) + " MiB: the graph of who waited for whom would not fit into memory.";
    }
}
