// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.util.List;

import org.eclipse.core.runtime.ILog;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.eclipse.ui.IViewReference;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.PlatformUI;
import org.kview.trace.KviewTrace;
import org.kview.ui.KviewUi;

/**
 * Shows the views that belong to a trace while one is open, and hides them otherwise, so that the other views have more
 * room.
 */
public final class TraceViews {
    private TraceViews() {
    }

    static void show() {
        IWorkbenchWindow window = PlatformUI.getWorkbench().getActiveWorkbenchWindow();
        if (window == null || !isLatency(window.getActivePage())) {
            return;
        }
        try {
            window.getActivePage().showView(KviewUi.VIEW_CALLS, null, IWorkbenchPage.VIEW_CREATE);
        } catch (PartInitException e) {
            ILog.of(TraceViews.class).log(e.getStatus());
        }
        showHistogram();
    }

    /** For a trace of another tool, which has no calls. */
    static void showHistogram() {
        IWorkbenchWindow window = PlatformUI.getWorkbench().getActiveWorkbenchWindow();
        if (window == null || !isLatency(window.getActivePage())) {
            return;
        }
        try {
            window.getActivePage().showView(KviewUi.VIEW_TRACE_HISTOGRAM, null, IWorkbenchPage.VIEW_VISIBLE);
        } catch (PartInitException e) {
            ILog.of(TraceViews.class).log(e.getStatus());
        }
    }

    /** Takes them out of sight, as long as no trace is open; another tool's trace keeps the histogram. */
    public static void hide() {
        if (!PlatformUI.isWorkbenchRunning()) {
            return;
        }
        for (IWorkbenchWindow window : PlatformUI.getWorkbench().getWorkbenchWindows()) {
            IWorkbenchPage page = window.getActivePage();
            if (isLatency(page)) {
                boolean others = !TmfTraceManager.getInstance().getOpenedTraces().stream().allMatch(KviewTrace.class::isInstance);
                for (String id : others ? List.of(KviewUi.VIEW_CALLS) : List.of(KviewUi.VIEW_TRACE_HISTOGRAM, KviewUi.VIEW_CALLS)) {
                    IViewReference view = page.findViewReference(id);
                    if (view != null) {
                        page.hideView(view);
                    }
                }
                page.setEditorAreaVisible(page.getEditorReferences().length > 0);
            }
        }
    }

    private static boolean isLatency(IWorkbenchPage page) {
        return page != null && page.getPerspective() != null
                && KviewUi.PERSPECTIVE_LATENCY.equals(page.getPerspective().getId());
    }
}
