// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.FillLayout;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.swt.widgets.TableItem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kview.ui.Ui;

class TableRowsTest {
    private Shell shell;
    private Table table;
    private TableRows<String> lines;
    /** Rows that were written into a line, each time anew. */
    private final List<String> filled = new ArrayList<>();
    private final Set<TableItem> items = new HashSet<>();

    @BeforeEach
    void open() {
        Ui.run(() -> {
            shell = new Shell(Display.getCurrent());
            shell.setLayout(new FillLayout());
            table = new Table(shell, SWT.VIRTUAL | SWT.MULTI | SWT.FULL_SELECTION);
            new TableColumn(table, SWT.LEFT).setWidth(200);
            lines = new TableRows<String>(table, (item, row) -> {
                filled.add(row);
                items.add(item);
                item.setText(row);
            }).searchedBy(row -> row);
            // Besides those that TableRows fills: whatever SWT makes.
            table.addListener(SWT.SetData, event -> items.add((TableItem) event.item));
            table.addListener(SWT.PaintItem, _ -> { });
            shell.setBounds(0, 0, 300, 300);
            shell.open();
        });
    }

    @AfterEach
    void close() {
        Ui.run(shell::dispose);
    }

    private void show(int count, String text) {
        Ui.run(() -> lines.show(IntStream.range(0, count).mapToObj(i -> text + i).toList()));
        Ui.settle();
    }

    private int inSight() {
        return Ui.get(() -> table.getClientArea().height / table.getItemHeight() + 2);
    }

    @Test
    void costsWhatIsInSight() throws InterruptedException {
        show(20_000, "a");
        Ui.await("all that is in sight is painted", () -> filled.contains("a0") && filled.contains("a" + (inSight() - 4)));
        Ui.settle();
        assertThat(filled.size()).isLessThanOrEqualTo(inSight() + 3);
        Ui.run(filled::clear);
        show(20_000, "a");
        assertThat(filled).as("nothing is another one").isEmpty();
        show(20_000, "b");
        assertThat(filled.size()).isBetween(5, inSight() + 3);
        assertThat(Ui.get(() -> table.getItem(1).getText())).isEqualTo("b1");
    }

    @Test
    void whatComesIntoSightIsNeverAnOldText() throws InterruptedException {
        show(1000, "a");
        Ui.await("it is seen", () -> filled.contains("a0"));
        Ui.run(() -> table.setTopIndex(500));
        Ui.await("others are", () -> filled.contains("a500"));
        Ui.run(filled::clear);
        show(1000, "b");
        assertThat(filled).as("out of sight").doesNotContain("b0");
        assertThat(Ui.get(() -> table.getItem(500).getText())).isEqualTo("b500");
        assertThat(Ui.get(() -> table.getItem(0).getText())).isEqualTo("b0");
        Ui.run(() -> table.setTopIndex(0));
        Ui.await("the first line is on top", () -> table.getTopIndex() == 0);
        assertThat(Ui.get(() -> table.getItem(2).getText())).isEqualTo("b2");
    }

    /** Such an item names a line that is gone, and the next change of theme ends the process. */
    @Test
    void noItemOutlivesItsLine() throws InterruptedException {
        for (int[] change : new int[][] {{6, 0, 0}, {6, 2, 0}, {200, 0, 0}, {200, 3, 150}, {2000, 5, 1000}, {2000, 0, 1000}}) {
            String rows = change[0] + " to " + change[1] + ", cursor at " + change[2] + " ";
            show(change[0], rows);
            Ui.run(() -> {
                table.setSelection(change[2]);
                table.showSelection();
            });
            Ui.await("it is seen", () -> filled.contains(rows + change[2]));
            show(change[1], rows);
            assertThat(Ui.get(() -> items.stream().filter(Predicate.not(TableItem::isDisposed))
                    .filter(item -> table.indexOf(item) < 0).toList())).as(rows).isEmpty();
            assertThat(Ui.get(() -> table.getItemCount())).as(rows).isEqualTo(change[1]);
            show(0, "");
            assertThat(Ui.get(() -> items.stream().filter(Predicate.not(TableItem::isDisposed)).toList())).as(rows).isEmpty();
        }
    }

    @Test
    void typingSelectsTheNextNameThatBeginsSo() {
        Ui.run(() -> lines.show(List.of("alpha", "beta", "Berta", "gamma", "bert")));
        type('b', 5000);
        assertThat(selected()).isEqualTo("beta");
        type('e', 5200);
        type('R', 5400);
        assertThat(selected()).isEqualTo("Berta");
        type('b', 9000);
        assertThat(selected()).isEqualTo("bert");
        type('b', 12000);
        assertThat(selected()).as("from the top again").isEqualTo("beta");
        type('x', 15000);
        assertThat(selected()).isEqualTo("beta");
    }

    private void type(char character, int millis) {
        Ui.run(() -> {
            Event event = new Event();
            event.character = character;
            event.time = millis;
            table.notifyListeners(SWT.KeyDown, event);
        });
    }

    private String selected() {
        return Ui.get(() -> table.getItem(table.getSelectionIndex()).getText());
    }
}
