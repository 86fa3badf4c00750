// SPDX-License-Identifier: EPL-2.0
package org.kview.ui;

import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.eclipse.ui.IFolderLayout;
import org.eclipse.ui.IPageLayout;
import org.eclipse.ui.IPerspectiveFactory;
import org.eclipse.ui.IPlaceholderFolderLayout;

/**
 * The views that one needs to find the cause of a slow call: at the left the targets and the sessions, beside them the
 * functions, below these how long their calls took, when, and why, and at the bottom the single calls and the
 * trace's events.
 */
public final class LatencyPerspective implements IPerspectiveFactory {
    public static final String ID = KviewUi.PERSPECTIVE_LATENCY;

    private static final String STATISTICS = "org.eclipse.linuxtools.tmf.ui.views.statistics";
    private static final String BESIDE = "org.kview.ui.beside";
    private static final float BESIDE_RATIO = 0.4f;

    @Override
    public void createInitialLayout(IPageLayout layout) {
        // Appears with the first trace: an empty editor area would be a third of the window for nothing. Where the
        // perspective is reset while one is open, its editor must stay: without its area it would end.
        boolean events = !TmfTraceManager.getInstance().getOpenedTraces().isEmpty();
        layout.setEditorAreaVisible(events);
        String editors = layout.getEditorArea();
        IFolderLayout left = layout.createFolder("org.kview.ui.left", IPageLayout.LEFT, 0.2f, editors);
        left.addView(KviewUi.VIEW_TARGETS);
        left.addView(KviewUi.VIEW_SESSIONS);
        IFolderLayout top = layout.createFolder("org.kview.ui.top", IPageLayout.TOP, 0.32f, editors);
        top.addView(KviewUi.VIEW_FUNCTIONS);
        top.addPlaceholder(KviewUi.VIEW_PROCESSES);
        top.addPlaceholder(KviewUi.VIEW_KERNEL_VIEWS);
        top.addPlaceholder(KviewUi.VIEW_COMPARE + ":*");
        IFolderLayout middle = layout.createFolder("org.kview.ui.middle", IPageLayout.TOP, 0.64f, editors);
        middle.addView(KviewUi.VIEW_DISTRIBUTION);
        middle.addView(KviewUi.VIEW_LATENCY);
        middle.addView(KviewUi.VIEW_TIMELINE);
        middle.addPlaceholder(KviewUi.VIEW_FLOW);
        IFolderLayout right = layout.createFolder("org.kview.ui.right", IPageLayout.RIGHT, 0.66f, "org.kview.ui.middle");
        right.addView(KviewUi.VIEW_CAUSES);
        right.addView(KviewUi.VIEW_WAITS);
        right.addView(KviewUi.VIEW_WHY);
        right.addView(KviewUi.VIEW_COST);
        right.addView(KviewUi.VIEW_NOTES);
        // The larger part: the less it has, the more Trace Compass clips the fields of its histogram.
        if (events) {
            IFolderLayout beside = layout.createFolder(BESIDE, IPageLayout.RIGHT, BESIDE_RATIO, editors);
            beside.addView(KviewUi.VIEW_TRACE_HISTOGRAM);
            beside.addView(KviewUi.VIEW_CALLS);
            beside.addPlaceholder(STATISTICS);
        } else {
            IPlaceholderFolderLayout beside = layout.createPlaceholderFolder(BESIDE, IPageLayout.RIGHT, BESIDE_RATIO, editors);
            beside.addPlaceholder(KviewUi.VIEW_TRACE_HISTOGRAM);
            beside.addPlaceholder(KviewUi.VIEW_CALLS);
            beside.addPlaceholder(STATISTICS);
        }
        for (String view : new String[] {KviewUi.VIEW_TARGETS, KviewUi.VIEW_PROCESSES, KviewUi.VIEW_KERNEL_VIEWS, KviewUi.VIEW_FLOW,
            KviewUi.VIEW_FUNCTIONS, KviewUi.VIEW_DISTRIBUTION, KviewUi.VIEW_LATENCY, KviewUi.VIEW_TIMELINE, KviewUi.VIEW_CALLS, KviewUi.VIEW_WHY,
            KviewUi.VIEW_CAUSES, KviewUi.VIEW_WAITS, KviewUi.VIEW_COST, KviewUi.VIEW_SESSIONS, KviewUi.VIEW_NOTES, KviewUi.VIEW_TRACE_HISTOGRAM,
            STATISTICS, IPageLayout.ID_PROP_SHEET}) {
            layout.addShowViewShortcut(view);
        }
        layout.addPerspectiveShortcut(ID);
    }
}
