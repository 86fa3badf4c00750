// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.tracecompass;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.ITimeGraphEntry;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.widgets.TimeGraphControl;
import org.eclipse.ui.PlatformUI;

/** What Trace Compass's views show. On the UI thread. */
final class ShownLines {
    private ShownLines() {
    }

    /** The names of the lines of a time graph, which Trace Compass paints. */
    static List<String> ofTimeGraphs() {
        return inSight(TimeGraphControl.class).stream().flatMap(graph -> Arrays.stream(graph.getExpandedElements()))
                .map(ITimeGraphEntry::getName).toList();
    }

    static <C extends Control> List<C> inSight(Class<C> type) {
        return below(PlatformUI.getWorkbench().getWorkbenchWindows()[0].getShell()).filter(type::isInstance).map(type::cast)
                .filter(Control::isVisible).toList();
    }

    private static Stream<Control> below(Control control) {
        return Stream.concat(Stream.of(control),
                control instanceof Composite parent ? Arrays.stream(parent.getChildren()).flatMap(ShownLines::below) : Stream.of());
    }
}
