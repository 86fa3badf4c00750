// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.util.ArrayList;
import java.util.List;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.TimeGraphViewer;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeGraphEntry;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.widgets.Utils;
import org.kview.recording.flow.FlowTree;
import org.kview.targets.values.Flow;
import org.kview.ui.theme.MetricColours;

/** A call over time, drawn by Trace Compass's time graph. */
final class FlameChart {
    private final Composite page;
    private final TimeGraphViewer viewer;
    /** The viewer's input, always the same list. */
    private final List<TimeGraphEntry> lines = new ArrayList<>();

    FlameChart(Composite parent) {
        page = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().applyTo(page);
        viewer = new TimeGraphViewer(page, SWT.NONE);
        FlamePresentation presentation = new FlamePresentation();
        viewer.setTimeGraphProvider(presentation);
        MetricColours.follow(page, presentation::recolour);
        viewer.setTimeFormat(Utils.TimeFormat.RELATIVE);
        viewer.setLabelsVisible(true);
        viewer.setMarkerAxisControlVisible(false);
        // A line is a depth, which its place tells: no names.
        viewer.setNameSpace(0);
        viewer.setInput(lines);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(viewer.getControl());
    }

    Composite control() {
        return page;
    }

    TimeGraphViewer viewer() {
        return viewer;
    }

    /** @return what took less is not drawn, in ns; 0 if all is */
    long show(Flow.Call call, FlowTree tree) {
        FlameLines next = FlameLines.of(call, tree);
        lines.clear();
        lines.addAll(next.lines());
        viewer.refresh();
        long end = Math.max(1, call.wallNanos());
        viewer.setTimeBounds(0, end);
        viewer.setStartFinishTime(0, end);
        viewer.setSelectionRange(0, 0, false);
        return next.leastNanos();
    }
}
