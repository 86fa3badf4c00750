// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import java.util.Optional;

import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.Separator;
import org.eclipse.swt.widgets.Display;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.TimeGraphViewer;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.model.LatencyFormat;
import org.kview.ui.calls.view.Reached;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.CopyJob;

/** What can be done in the Timeline view: zoom, and take it elsewhere. */
final class TimelineActions {
    private final TimelineView view;
    private final TimeGraphViewer viewer;
    private final SelectionService selection;

    TimelineActions(TimelineView view, TimeGraphViewer viewer, SelectionService selection) {
        this.view = view;
        this.viewer = viewer;
        this.selection = selection;
    }

    void install() {
        IActionBars bars = view.getViewSite().getActionBars();
        bars.getToolBarManager().add(viewer.getZoomInAction());
        bars.getToolBarManager().add(viewer.getZoomOutAction());
        bars.getToolBarManager().add(viewer.getHideArrowsAction(null));
        Display display = viewer.getControl().getDisplay();
        IAction copy = Actions.of("&Copy Picture", () -> Actions.copyPicture(view.whole()));
        Actions.global(bars, ActionFactory.COPY, copy);
        bars.getMenuManager().add(Actions.of("Show &All", () -> selection.show(Optional.empty())));
        view.history().addTo(bars.getMenuManager());
        view.history().install(bars);
        bars.getMenuManager().add(new Separator());
        bars.getMenuManager().add(copy);
        bars.getMenuManager().add(Actions.of("Copy Calls as CS&V", () -> view.answered().ifPresent(answer -> CopyJob.start(display,
                LatencyFormat.count(answer.drawn().length) + " calls", () -> csv(answer)))));
        bars.getMenuManager().add(Actions.of("Copy &States as CSV", () -> view.answered().ifPresent(answer -> CopyJob.start(display,
                "what threads did, and who woke them", () -> Optional.of(statesCsv(answer))))));
        bars.updateActionBars();
    }

    /** The calls that are drawn, as {@code kview calls --csv} writes them. */
    static Optional<String> csv(TimelineJob.Answer answer) {
        return answer.wish().calls().ask(calls -> calls.csv(answer.drawn())).map(text -> Reached.above(answer.wish().calls(), text));
    }

    /** What threads did, and who woke them. */
    static String statesCsv(TimelineJob.Answer answer) {
        return Reached.above(answer.wish().calls(), answer.states().csv(answer.wish().startNanos()));
    }
}
