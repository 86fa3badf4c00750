// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.ui.Figures;
import org.kview.ui.Ui;
import org.kview.ui.session.SessionState;

class CausesViewTest {
    @AfterEach
    void close() {
        Ui.set(new SessionState.None());
    }

    @Test
    void whatIsCopiedAreItsNumbers() {
        LatencySnapshot figures = Figures.snapshot(Figures.SHOP.subList(0, 1));
        Ui.show(figures);
        CausesView view = Ui.view(CausesView.ID, CausesView.class);
        List<String> lines = List.of(Ui.get(view::csv).split("\r\n"));
        assertThat(lines).hasSameSizeAs(Metric.OF_CALLS);
        assertThat(lines.getFirst()).isEqualTo("function,cause,share,total_ns,calls,p50_ns,p99_ns");
        FunctionLatency basket = figures.functions().getFirst();
        assertThat(lines).anyMatch(line -> line.startsWith("price_basket,lock,")
                && line.contains("," + basket.distribution(Metric.LOCK).totalNanos() + "," + basket.distribution(Metric.LOCK).count() + ","));
        assertThat(lines).as("what was measured and did not occur").contains("price_basket,network,0.0,0,0,,");
    }
}
