// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import java.util.Optional;
import java.util.Set;

import org.eclipse.ui.IWorkbenchPage;
import org.kview.model.Bookmark.Range;
import org.kview.model.Metric;
import org.kview.session.calls.CallFilter;
import org.kview.session.calls.CallOrder;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.StoredCall;
import org.kview.ui.KviewUi;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.selection.SelectionService;

/** Poses the timeline for pictures. */
public final class TimelinePose {
    private TimelinePose() {
    }

    /** As large as the window, around the longest wait for a lock. */
    public static void showLongestWait() throws Exception {
        TimelineView view = Ui.view(TimelineView.ID, TimelineView.class);
        Ui.run(() -> Ui.page().setPartState(Ui.page().getReference(view), IWorkbenchPage.STATE_MAXIMIZED));
        CallOrder longest = CallOrder.parse(Metric.LOCK.id());
        StoredCall call = RealSession.store().ask(calls -> calls.call(calls.list(CallSelector.ALL.withCauses(
                Optional.of(Set.of(Metric.LOCK))), CallFilter.ALL, longest, _ -> true).number(0))).orElseThrow();
        Range time = call.time();
        long around = (time.endNanos() - time.beginNanos()) / 3;
        Ui.run(() -> {
            SelectionService.get().show(Optional.of(new Range(time.beginNanos() - around, time.endNanos() + around)));
            SelectionService.get().focus(Optional.of(time));
        });
        Ui.settle();
        Ui.await("it is shown", view::isShown);
        Ui.settle();
    }

    /** As it is at first. */
    public static void restore() {
        TimelineView view = Ui.view(TimelineView.ID, TimelineView.class);
        Ui.run(() -> {
            Ui.page().setPartState(Ui.page().getReference(view), IWorkbenchPage.STATE_RESTORED);
            SelectionService.get().show(Optional.empty());
            SelectionService.get().focus(Optional.empty());
            Ui.page().bringToTop(Ui.page().findView(KviewUi.VIEW_DISTRIBUTION));
        });
    }
}
