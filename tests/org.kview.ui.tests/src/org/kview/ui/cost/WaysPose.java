// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import java.time.Duration;

import org.kview.targets.registry.TargetConnection;
import org.kview.ui.Ui;

/** The Cost view, with the ways to record of a host. */
public final class WaysPose {
    private WaysPose() {
    }

    /** Measures all of them, which takes a minute or so on an emulated host. */
    public static void compare(TargetConnection connection) throws InterruptedException {
        CostView view = Ui.view(CostView.ID, CostView.class);
        Ui.run(() -> view.ways().compare(new WaysJob.Question(connection, true)));
        Ui.await("ways are told", Duration.ofMinutes(5), () -> view.ways().table().getItemCount() > 0);
    }
}
