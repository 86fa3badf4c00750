// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.CLabel;
import org.eclipse.swt.custom.CTabFolder;
import org.eclipse.swt.custom.StyledText;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.Text;
import org.eclipse.swt.widgets.ToolBar;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.swt.widgets.TreeItem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kview.model.CallFates;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.LostCalls;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.SafeText;
import org.kview.model.SessionInfo;
import org.kview.testing.Recorded;
import org.kview.ui.Figures;
import org.kview.ui.Ui;
import org.kview.ui.causes.CausesView;
import org.kview.ui.distribution.DistributionView;
import org.kview.ui.session.SessionState;

/** A session whose names, problems and path could steer a terminal or turn the direction of writing: nothing shows them so. */
class HostileTextTest {
    private static final String HOSTILE = "a\u001b[31m\u0007\r\u009b2J\u202eb\u2066";
    private static final Path SESSION = Path.of("/tmp/shop\u202e\u001b\u0007.kview");

    @AfterEach
    void close() {
        Ui.set(new SessionState.None());
    }

    private static LatencySnapshot figures(SessionInfo.State state) {
        SessionInfo info = Recorded.info("local" + HOSTILE, "web" + HOSTILE, "6.18" + HOSTILE, 4711,
                "/srv/shop" + HOSTILE + " --workers 8", "in", HOSTILE, Figures.info(state).start(),
                Figures.info(state).duration(), state, HOSTILE);
        var function = new ProbedFunction(0, "f" + HOSTILE,
                new ProbePoint.UserFunction("/srv/" + HOSTILE + "/shop", "f" + HOSTILE, 1, 1, 1), Mechanism.TRAP,
                ProbedFunction.ALL_METRICS, new ProbedFunction.Ends(ProbedFunction.ExitKind.RETURN_SITES, List.of("poll" + HOSTILE), false),
                new ProbedFunction.Cost(640, 1540), 0);
        FunctionLatency latency = new FunctionLatency(function, 96, 0, 0, Optional.of(Recorded.fates(LostCalls.NONE, 96, 0, 0,
                0, 0, 0, Optional.of(new CallFates.ProbesOff(1, "They" + HOSTILE, Optional.empty(), 0)))), Figures.function(0,
                        new Figures.Shape("f", 96, 2e6, Metric.LOCK, 1e6, 0.3, 0, 0)).distributions());
        return new LatencySnapshot(info, List.of(latency), Losses.NONE, Recorded.overhead(1540, true),
                List.of("The trace " + HOSTILE + " is damaged.", HOSTILE));
    }

    @Test
    void nothingOfAHostileSessionIsShownAsItCame() throws InterruptedException {
        Ui.view(CausesView.ID, CausesView.class);
        Ui.view(DistributionView.ID, DistributionView.class);
        FunctionsView view = Ui.view(FunctionsView.ID, FunctionsView.class);
        Table table = Ui.get(() -> view.table().control());
        Ui.run(() -> view.filterField().setText(""));
        Ui.set(new SessionState.Opened(SESSION, figures(SessionInfo.State.STOPPED)));
        Ui.await("its function is shown", () -> table.getItemCount() == 1);
        Ui.run(() -> {
            table.setSelection(0);
            table.notifyListeners(SWT.Selection, new Event());
        });
        Ui.settle();
        assertThat(Ui.get(() -> table.getItem(0).getText(FunctionColumn.NAME.ordinal())))
                .as("what is replaced is seen to be").isEqualTo(SafeText.line("f" + HOSTILE));
        looksSafe("a session");
        Ui.set(new SessionState.Recording(SESSION, figures(SessionInfo.State.RECORDING)));
        Ui.settle();
        looksSafe("a recording");
        Ui.set(new SessionState.Failed("The session " + HOSTILE + " can't be read."));
        Ui.settle();
        looksSafe("a failure");
    }

    private static void looksSafe(String what) {
        List<String> texts = Ui.get(() -> {
            List<String> all = new ArrayList<>();
            for (Shell shell : Display.getCurrent().getShells()) {
                collect(shell, all);
            }
            return all;
        });
        assertThat(texts).as(what).hasSizeGreaterThan(20).anyMatch(text -> text.contains("\ufffd"));
        assertThat(texts).as(what).allMatch(text -> text.codePoints().allMatch(
                c -> c == '\n' || c == '\t' || SafeText.isShown(c)));
    }

    private static void collect(Control control, List<String> all) {
        Stream<String> own = switch (control) {
            case Shell shell -> Stream.of(shell.getText());
            case Label label -> Stream.of(label.getText());
            case CLabel label -> Stream.of(label.getText());
            case Link link -> Stream.of(link.getText());
            case Button button -> Stream.of(button.getText());
            case Text text -> Stream.of(text.getText(), text.getMessage());
            case StyledText text -> Stream.of(text.getText());
            case Table table -> Arrays.stream(table.getItems()).flatMap(item ->
                    Stream.iterate(0, i -> i < table.getColumnCount(), i -> i + 1).map(item::getText));
            case Tree tree -> Arrays.stream(tree.getItems()).flatMap(item -> texts(tree, item));
            case CTabFolder folder -> Arrays.stream(folder.getItems()).flatMap(item ->
                    Stream.of(item.getText(), String.valueOf(item.getToolTipText())));
            case ToolBar bar -> Arrays.stream(bar.getItems()).flatMap(item ->
                    Stream.of(item.getText(), String.valueOf(item.getToolTipText())));
            default -> Stream.empty();
        };
        own.forEach(all::add);
        all.add(String.valueOf(control.getToolTipText()));
        if (control instanceof Composite composite) {
            for (Control child : composite.getChildren()) {
                collect(child, all);
            }
        }
    }

    private static Stream<String> texts(Tree tree, TreeItem item) {
        return Stream.concat(Stream.iterate(0, i -> i < Math.max(1, tree.getColumnCount()), i -> i + 1).map(item::getText),
                Arrays.stream(item.getItems()).flatMap(child -> texts(tree, child)));
    }
}
