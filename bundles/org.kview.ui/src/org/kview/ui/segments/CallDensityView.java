// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.segments;

import org.eclipse.jface.viewers.TableViewer;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.tracecompass.analysis.timing.core.segmentstore.ISegmentStoreProvider;
import org.eclipse.tracecompass.analysis.timing.ui.views.segmentstore.density2.AbstractSegmentStoreDensityView;
import org.eclipse.tracecompass.analysis.timing.ui.views.segmentstore.density2.AbstractSegmentStoreDensityViewer;
import org.eclipse.tracecompass.analysis.timing.ui.views.segmentstore.table.AbstractSegmentStoreTableViewer;
import org.eclipse.tracecompass.analysis.timing.ui.views.segmentstore.table.SegmentStoreTableViewer;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceUtils;
import org.kview.trace.analysis.CallTimesAnalysis;

/** How many calls took how long, in the stretch of time that is looked at, beside a table of these calls. */
public final class CallDensityView extends AbstractSegmentStoreDensityView {
    public static final String ID = "org.kview.ui.view.callDensity";

    public CallDensityView() {
        super(ID);
    }

    @Override
    protected AbstractSegmentStoreTableViewer createSegmentStoreTableViewer(Composite parent) {
        return new SegmentStoreTableViewer(new TableViewer(parent, SWT.FULL_SELECTION | SWT.VIRTUAL), CallTimesAnalysis.ID, false);
    }

    @Override
    protected AbstractSegmentStoreDensityViewer createSegmentStoreDensityViewer(Composite parent) {
        return new AbstractSegmentStoreDensityViewer(parent) {
            @Override
            protected ISegmentStoreProvider getSegmentStoreProvider(ITmfTrace trace) {
                return TmfTraceUtils.getAnalysisModuleOfClass(trace, CallTimesAnalysis.class, CallTimesAnalysis.ID);
            }
        };
    }
}
