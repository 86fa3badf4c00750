// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.activities.WorkbenchActivityHelper;
import org.eclipse.ui.views.IViewDescriptor;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;

class WorkbenchStartTest {
    @Test
    void opensInTheLatencyPerspective() {
        var perspective = new java.util.concurrent.atomic.AtomicReference<String>();
        Display.getDefault().syncExec(() -> perspective.set(
                PlatformUI.getWorkbench().getActiveWorkbenchWindow().getActivePage().getPerspective().getId()));
        assertThat(perspective).hasValue("org.kview.ui.perspective.latency");
    }

    /** What stays empty with what is recorded here, or fails, is hidden. */
    @Test
    void offersViewsThatHaveSomethingToShow() {
        List<String> offered = new ArrayList<>();
        Display.getDefault().syncExec(() -> Stream.of(PlatformUI.getWorkbench().getViewRegistry().getViews())
                .filter(view -> !WorkbenchActivityHelper.filterItem(view)).map(IViewDescriptor::getId).forEach(offered::add));
        for (String wanted : List.of("targets", "processes", "functions", "distribution", "causes", "notes", "sessions",
                "compare", "histogram", "statistics", "filter", "colors", "ProgressView", "ConsoleView", "controlflow", "resources",
                "cpuusage", "callstack", "criticalpathview")) {
            assertThat(offered).as(wanted).anyMatch(id -> id.endsWith("." + wanted));
        }
        for (String hidden : List.of("TaskList", "ProblemView", "AllMarkersView", "introview", "ContentOutline", "MinimapView",
                "control", "tmfUml2SDSyncView", "synchronization", "segstore.table", "scatter", "scatter2")) {
            assertThat(offered).as(hidden).noneMatch(id -> id.endsWith("." + hidden));
        }
    }

    @Test
    void everyBundleResolves() {
        assertThat(FrameworkUtil.getBundle(PlatformUI.class).getBundleContext().getBundles())
                .filteredOn(bundle -> bundle.getState() == Bundle.INSTALLED)
                .isEmpty();
    }
}
