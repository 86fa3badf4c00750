// SPDX-License-Identifier: EPL-2.0
package org.kview.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.eclipse.ui.IViewReference;
import org.junit.jupiter.api.Test;

class PerspectiveTest {
    @Test
    void showsItsViews() {
        List<String> open = Ui.get(() -> List.of(Ui.page().getViewReferences()).stream().map(IViewReference::getId)
                .toList());
        assertThat(open).contains(KviewUi.VIEW_FUNCTIONS, KviewUi.VIEW_DISTRIBUTION, KviewUi.VIEW_LATENCY, KviewUi.VIEW_CAUSES,
                KviewUi.VIEW_WAITS, KviewUi.VIEW_COST, KviewUi.VIEW_SESSIONS);
    }

    @Test
    void noViewIsBroken() {
        for (String id : List.of(KviewUi.VIEW_FUNCTIONS, KviewUi.VIEW_DISTRIBUTION, KviewUi.VIEW_LATENCY, KviewUi.VIEW_CALLS, KviewUi.VIEW_WHY,
                KviewUi.VIEW_CAUSES, KviewUi.VIEW_WAITS, KviewUi.VIEW_COST, KviewUi.VIEW_SESSIONS, KviewUi.VIEW_TRACE_HISTOGRAM)) {
            String type = Ui.get(() -> Ui.page().showView(id).getClass().getName());
            assertThat(type).as(id).doesNotContain("ErrorViewPart");
        }
        Ui.run(() -> {
            Ui.page().hideView(Ui.page().findViewReference(KviewUi.VIEW_TRACE_HISTOGRAM));
            Ui.page().hideView(Ui.page().findViewReference(KviewUi.VIEW_CALLS));
        });
    }
}
