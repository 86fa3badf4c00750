// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.Distribution;
import org.kview.model.FunctionInterval;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.SessionInfo;
import org.kview.session.read.SessionReader;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;
import org.kview.ui.Figures;
import org.kview.ui.Ui;
import org.kview.ui.causes.CausesView;
import org.kview.ui.distribution.DistributionView;
import org.kview.ui.session.SessionState;

/** A session of system calls, of which only calls and wall-clock time are measured: the views show that, and no 0 for the rest. */
class SystemCallsTest {
    @TempDir
    Path temp;

    @AfterEach
    void close() {
        Ui.set(new SessionState.None());
    }

    private Path record() throws Exception {
        Path session = temp.resolve("calls.kview");
        List<String> names = List.of("fsync", "read");
        List<ProbedFunction> functions = IntStream.range(0, names.size()).mapToObj(id -> {
            var point = new ProbePoint.SystemCall(names.get(id));
            return new ProbedFunction(id, point.label(), point, Mechanism.TRACEPOINT, Set.of(Metric.WALL), ProbedFunction.Ends.UNKNOWN,
                    new ProbedFunction.Cost(0, 300), 0);
        }).toList();
        Distribution calls = new Distribution.Builder().add(3_000_000).add(5_000_000).build();
        try (SessionWriter writer = SessionWriter.create(session, Figures.info(SessionInfo.State.RECORDING), functions,
                Optional.empty())) {
            writer.append(Recorded.interval(0, 500_000_000, List.of(
                    new FunctionInterval(0, 2, 0, 0, Map.of(Metric.WALL, calls))), Losses.NONE, true));
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        return session;
    }

    @Test
    void whatIsNotMeasuredIsNotShownAsZero() throws Exception {
        Path session = record();
        LatencySnapshot figures;
        try (SessionReader reader = SessionReader.open(session)) {
            figures = reader.snapshot();
        }
        Ui.view(CausesView.ID, CausesView.class);
        Ui.view(DistributionView.ID, DistributionView.class);
        FunctionsView view = Ui.view(FunctionsView.ID, FunctionsView.class);
        Table table = Ui.get(() -> view.table().control());
        Ui.run(() -> view.filterField().setText(""));
        Ui.set(new SessionState.Opened(session, figures));
        Ui.await("both are shown", () -> table.getItemCount() == 2);
        int row = Ui.get(() -> IntStream.range(0, 2).filter(i -> table.getItem(i).getText(FunctionColumn.NAME.ordinal())
                .equals("syscall:fsync")).findFirst().orElseThrow());
        Ui.run(() -> {
            table.setSelection(row);
            table.notifyListeners(SWT.Selection, new Event());
        });
        Ui.settle();
        assertThat(Ui.get(() -> view.table().isVisible(FunctionColumn.BESIDE_TIME))).as("nothing was counted beside time").isFalse();
        TableItem item = Ui.get(() -> table.getItem(row));
        assertThat(text(item, FunctionColumn.CALLS)).isEqualTo("2");
        assertThat(text(item, FunctionColumn.WALL_MAX)).isEqualTo("5.00 ms");
        assertThat(Stream.of(FunctionColumn.CPU_MEAN, FunctionColumn.CPU_P50, FunctionColumn.CPU_P99, FunctionColumn.CPU_MAX))
                .allSatisfy(column -> assertThat(text(item, column)).isEqualTo(FunctionColumn.UNKNOWN));
        assertThat(text(item, FunctionColumn.VERDICT)).contains("not measured");
        assertThat(text(item, FunctionColumn.BREAKDOWN)).isEqualTo(FunctionColumn.UNKNOWN);
        Ui.await("the causes are those of a system call", () -> causes().stream().distinct().toList()
                .equals(List.of("––(not measured)")));
    }

    private static String text(TableItem item, FunctionColumn column) {
        return Ui.get(() -> item.getText(column.ordinal()));
    }

    /** What the causes' table says of each metric but the wall-clock time: share, time, and what it means. */
    private static List<String> causes() {
        return Stream.of(Display.getCurrent().getShells()).flatMap(SystemCallsTest::tables)
                .filter(table -> table.getColumnCount() > 0 && table.getColumn(0).getText().equals("Cause"))
                .flatMap(table -> Stream.of(table.getItems())).map(i -> i.getText(1) + i.getText(2) + i.getText(6)).toList();
    }

    private static Stream<Table> tables(Control control) {
        return switch (control) {
            case Table table -> Stream.of(table);
            case Composite composite -> Stream.of(composite.getChildren()).flatMap(SystemCallsTest::tables);
            default -> Stream.empty();
        };
    }
}
