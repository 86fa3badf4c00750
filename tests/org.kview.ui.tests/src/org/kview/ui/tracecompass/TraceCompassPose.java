// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.tracecompass;

import org.eclipse.tracecompass.tmf.core.signal.TmfSignalManager;
import org.eclipse.tracecompass.tmf.core.signal.TmfWindowRangeUpdatedSignal;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimeRange;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimestamp;
import org.eclipse.ui.IViewPart;
import org.eclipse.ui.IWorkbenchPage;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;

/** A time of a session, for a picture of Trace Compass's views. */
public final class TraceCompassPose {
    private static final String CONTROL_FLOW = "org.eclipse.tracecompass.analysis.os.linux.views.controlflow";

    private static final long FROM_NANOS = 1_000_000_000;
    private static final long SHOWN_NANOS = 200_000_000;

    private TraceCompassPose() {
    }

    /** Some calls in Control Flow, which takes the whole window. */
    public static void showControlFlow() {
        Ui.view(CONTROL_FLOW, IViewPart.class);
        Ui.run(() -> Ui.page().setPartState(Ui.page().findViewReference(CONTROL_FLOW), IWorkbenchPage.STATE_MAXIMIZED));
        long from = RealSession.trace().getStartTime().toNanos() + FROM_NANOS;
        TmfSignalManager.dispatchSignal(new TmfWindowRangeUpdatedSignal(TraceCompassPose.class,
                new TmfTimeRange(TmfTimestamp.fromNanos(from), TmfTimestamp.fromNanos(from + SHOWN_NANOS))));
        Ui.settle();
    }

    public static void hideControlFlow() {
        Ui.run(() -> Ui.page().hideView(Ui.page().findViewReference(CONTROL_FLOW)));
    }
}
