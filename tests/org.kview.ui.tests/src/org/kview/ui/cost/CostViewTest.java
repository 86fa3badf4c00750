// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.eclipse.swt.widgets.TableItem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kview.model.CostToOthers;
import org.kview.model.LatencySnapshot;
import org.kview.model.MergedHosts;
import org.kview.model.Overhead;
import org.kview.ui.Figures;
import org.kview.ui.Ui;
import org.kview.ui.session.SessionState;

class CostViewTest {
    private static final CostToOthers.Rounds AROUND = new CostToOthers.Rounds(20, 92);

    @AfterEach
    void close() {
        Ui.set(new SessionState.None());
    }

    private static CostView view() {
        return Ui.view(CostView.ID, CostView.class);
    }

    private static LatencySnapshot session(Optional<CostToOthers> others) {
        LatencySnapshot figures = Figures.snapshot(Figures.SHOP);
        Overhead o = figures.overhead();
        return new LatencySnapshot(figures.info(), figures.functions(), figures.losses(), new Overhead(o.perCallNanos(), o.calibrated(),
                o.agent(), o.note(), o.process(), o.budget(), o.waitsNote(), others), List.of());
    }

    private static LatencySnapshot measured(String name) {
        return session(Optional.of(new CostToOthers(List.of(new CostToOthers.Operation(name, List.of(), List.of(), AROUND,
                new CostToOthers.Rounds(33, 181), AROUND, Optional.of(new CostToOthers.Interval(89, 85, 93)), Optional.empty())), 1,
                CostToOthers.CpuUse.FORBIDDEN, 60_000_000, "")));
    }

    private static List<List<String>> lines() {
        CostView view = view();
        return Ui.get(() -> Stream.of(view.table().getItems()).map(CostViewTest::texts).toList());
    }

    private static List<String> texts(TableItem item) {
        return IntStream.range(0, 5).mapToObj(item::getText).toList();
    }

    @Test
    void whatItCostTheProcessAndOthersStandsTogether() {
        CostView view = view();
        Ui.show(measured("getppid()"));
        assertThat(Ui.get(view::text)).contains("Each call cost the process", "on CPU 1, where the recorded process may not run");
        assertThat(lines()).containsExactly(List.of("getppid()", "92.0 ns", "181.0 ns", "92.0 ns", "+89.0 ns (+85.0 ns to +93.0 ns)"));
        assertThat(Ui.get(view::csv)).contains("getppid(),92.0 ns,181.0 ns");
        Ui.show(session(Optional.empty()));
        assertThat(Ui.get(view::text)).contains("What the recording cost other processes was not measured");
        assertThat(lines()).isEmpty();
        Ui.set(new SessionState.None());
        assertThat(Ui.get(view::text)).contains("No session is open");
        assertThat(Ui.get(view::csv)).isEmpty();
    }

    @Test
    void eachOfSeveralHostsIsNamed() {
        view();
        Ui.show(MergedHosts.of(List.of(measured("getppid()"), Figures.onHost("web-4", measured("read()")))));
        assertThat(lines()).extracting(List::getFirst).containsExactly("local: getppid()", "web-4: read()");
    }

    /** The host names the operations. */
    @Test
    void aNameIsOneLine() {
        view();
        Ui.show(measured("a\nb\u001b[31m"));
        assertThat(lines().getFirst().getFirst()).doesNotContain("\n", "\u001b");
    }
}
