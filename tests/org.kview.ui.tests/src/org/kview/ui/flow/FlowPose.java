// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.time.Duration;

import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.ProcessInfo;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;

/** The Flow view, for pictures. */
public final class FlowPose {
    private FlowPose() {
    }

    /** Follows what a process reads. */
    public static void followReads(TargetConnection connection, String program) throws Exception {
        ProcessInfo process = connection.connect().processList().processes().stream().filter(p -> p.name().equals(program)).findFirst()
                .orElseThrow();
        FlowView view = Ui.view(KviewUi.VIEW_FLOW, FlowView.class);
        Ui.run(() -> view.follow(new FlowJob.Question(connection, process, new FlowWish("read", 5, 5))));
        Ui.await("its calls are shown", Duration.ofMinutes(5), () -> view.messageText().isEmpty());
    }

    public static void asChart(boolean wanted) {
        FlowView view = Ui.view(KviewUi.VIEW_FLOW, FlowView.class);
        Ui.run(() -> {
            view.actions().chart().setChecked(wanted);
            view.actions().chart().run();
        });
    }
}
