// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import org.eclipse.ui.IWorkbenchPage;
import org.kview.chart.ShareScale;
import org.kview.ui.Ui;

/** Poses the distribution for pictures. */
public final class DistributionPose {
    private DistributionPose() {
    }

    /** As large as the window, with the few slow calls in sight. */
    public static void showTail() {
        DistributionView view = Ui.view(DistributionView.ID, DistributionView.class);
        Ui.run(() -> {
            Ui.page().setPartState(Ui.page().getReference(view), IWorkbenchPage.STATE_MAXIMIZED);
            view.canvas().setHeights(ShareScale.LOGARITHMIC);
        });
    }

    /** As it is at first. */
    public static void restore() {
        DistributionView view = Ui.view(DistributionView.ID, DistributionView.class);
        Ui.run(() -> {
            view.canvas().setHeights(ShareScale.LINEAR);
            Ui.page().setPartState(Ui.page().getReference(view), IWorkbenchPage.STATE_RESTORED);
        });
    }
}
