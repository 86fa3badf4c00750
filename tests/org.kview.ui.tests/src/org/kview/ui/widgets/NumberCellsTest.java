// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

import org.eclipse.core.runtime.preferences.IEclipsePreferences;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.FillLayout;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kview.model.LatencyFormat;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;
import org.kview.ui.text.TableTimes;

class NumberCellsTest {
    private static final long LONG = 1_931_204_117;
    private static final long SHORT = 1_931_204;

    private enum Told implements Column<Long> {
        TIME(Form.time("Time", 70, (Long nanos) -> OptionalDouble.of(nanos), "–")),
        COUNT(Form.number("Calls", 50, LatencyFormat::count, Comparator.naturalOrder())),
        NAME(Form.words("Name", 60, _ -> "anything that is wider than its column"));

        private final Form<Long> form;

        Told(Form<Long> form) {
            this.form = form;
        }

        @Override
        public Form<Long> form() {
            return form;
        }
    }

    private Shell shell;
    private Table table;
    private TableRows<Long> lines;
    private NumberCells cells;

    @BeforeEach
    void open() {
        Ui.run(() -> {
            shell = new Shell(Display.getCurrent());
            shell.setLayout(new FillLayout());
            table = new Table(shell, SWT.VIRTUAL | SWT.MULTI | SWT.FULL_SELECTION);
            Column.create(table, List.of(Told.values()), _ -> { });
            lines = new TableRows<>(table, this::fill);
            cells = NumberCells.of(table, List.of(Told.values()), lines::refill);
            shell.setBounds(0, 0, 500, 300);
            shell.open();
            lines.show(List.of(LONG, SHORT));
        });
        Ui.settle();
    }

    private void fill(TableItem item, Long row) {
        item.setText(cells.texts(Told.values(), row));
    }

    @AfterEach
    void close() {
        Ui.run(() -> {
            preferences().remove(TableTimes.KEY);
            shell.dispose();
        });
    }

    private static IEclipsePreferences preferences() {
        return InstanceScope.INSTANCE.getNode(KviewUi.BUNDLE_ID);
    }

    private void choose(TableTimes.Unit unit) {
        Ui.run(() -> preferences().put(TableTimes.KEY, unit.name()));
        Ui.settle();
    }

    private void narrow(Told column, int width) {
        Ui.run(() -> table.getColumn(column.ordinal()).setWidth(width));
        Ui.settle();
    }

    private List<String> texts(Told column) {
        return Ui.get(() -> IntStream.range(0, table.getItemCount()).mapToObj(i -> table.getItem(i).getText(column.ordinal())).toList());
    }

    /** As the window system sees it: what a column needs for what it shows. */
    private void assertThatNothingIsCutOff(Told column) {
        int width = Ui.get(() -> table.getColumn(column.ordinal()).getWidth());
        Table copy = Ui.get(() -> {
            Table all = new Table(shell, SWT.NONE);
            Column.create(all, List.of(column), _ -> { });
            all.getColumn(0).setText("");
            return all;
        });
        Ui.run(() -> texts(column).forEach(text -> new TableItem(copy, SWT.NONE).setText(text)));
        Ui.settle();
        int needed = Ui.get(() -> {
            copy.getColumn(0).pack();
            return copy.getColumn(0).getWidth();
        });
        Ui.run(copy::dispose);
        assertThat(needed).as("the width that %s needs", texts(column)).isLessThanOrEqualTo(width);
    }

    @Test
    void eachDigitHasRoomAndTheHeadTheUnit() {
        for (TableTimes.Unit unit : List.of(TableTimes.Unit.NANOS, TableTimes.Unit.MICROS, TableTimes.Unit.FITTING)) {
            choose(unit);
            assertThatNothingIsCutOff(Told.TIME);
            assertThat(texts(Told.TIME)).isEqualTo(switch (unit) {
                case NANOS -> List.of("1,931,204,117", "1,931,204");
                case MICROS -> List.of("1,931,204.1", "1,931.2");
                case FITTING -> List.of("1.93 s", "1.93 ms");
            });
            assertThat(Ui.get(() -> table.getColumn(Told.TIME.ordinal()).getText())).isEqualTo(switch (unit) {
                case NANOS -> "Time ns";
                case MICROS -> "Time µs";
                case FITTING -> "Time";
            });
        }
        assertThat(Ui.get(() -> table.getColumn(Told.TIME.ordinal()).getWidth())).as("as before").isEqualTo(70);
    }

    @Test
    void whatHasNoRoomIsNoOtherNumber() {
        choose(TableTimes.Unit.NANOS);
        narrow(Told.TIME, 74);
        assertThat(texts(Told.TIME)).as("each with its unit, or all its digits").isIn(List.of("1.93 s", "1,931,204"), List.of("1.93 s", "1.93 ms"));
        assertThatNothingIsCutOff(Told.TIME);
        narrow(Told.TIME, 30);
        assertThat(texts(Told.TIME)).containsExactly("…", "…");
        assertThat(texts(Told.COUNT)).as("of other numbers as well").containsExactly("…", "…");
        narrow(Told.COUNT, 200);
        assertThat(texts(Told.COUNT)).containsExactly("1,931,204,117", "1,931,204");
        assertThat(texts(Told.NAME)).containsOnly("anything that is wider than its column");
    }

    @Test
    void aWidthThatTheUserChoseStays() {
        narrow(Told.TIME, 95);
        choose(TableTimes.Unit.NANOS);
        assertThat(Ui.get(() -> table.getColumn(Told.TIME.ordinal()).getWidth())).isEqualTo(95);
    }
}
