// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.tracecompass;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.swt.widgets.Text;
import org.eclipse.tracecompass.tmf.core.event.aspect.ITmfEventAspect;
import org.eclipse.tracecompass.tmf.core.filter.model.TmfFilterMatchesNode;
import org.eclipse.tracecompass.tmf.ui.views.colors.ColorSetting;
import org.eclipse.tracecompass.tmf.ui.views.colors.ColorSettingsManager;
import org.eclipse.tracecompass.tmf.ui.widgets.virtualtable.TmfVirtualTable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;

/** The table of a session's events, as a user works in it. */
class EventTableTest {
    private static final String BASKET = "price_basket";

    @BeforeAll
    static void open(@TempDir Path folder) throws Exception {
        RealSession.openWithTrace(RealSession.in(folder));
        Ui.await("the table has its events", () -> table().getItemCount() > 3 && !table().getItem(3).getText(1).isEmpty());
    }

    @AfterAll
    static void close() throws Exception {
        RealSession.close();
    }

    private static Table table() {
        return ShownLines.inSight(Table.class).stream().filter(table -> columns(table).contains("Event type")).findFirst().orElseThrow();
    }

    private static List<String> columns(Table table) {
        return Arrays.stream(table.getColumns()).map(TableColumn::getText).toList();
    }

    /** The menu that opens at a place of the table, as the window system asks for it. */
    private static List<String> menuAt(int x, int y) {
        return Ui.get(() -> {
            Table table = table();
            Point place = table.toDisplay(x, y);
            Event asked = new Event();
            asked.x = place.x;
            asked.y = place.y;
            table.notifyListeners(SWT.MenuDetect, asked);
            Menu menu = table.getMenu();
            menu.notifyListeners(SWT.Show, new Event());
            List<String> items = Stream.of(menu.getItems()).map(MenuItem::getText).toList();
            menu.notifyListeners(SWT.Hide, new Event());
            return items;
        });
    }

    @Test
    void aContextMenuOpensOnAnEventAndOnTheHeads() {
        int middle = Ui.get(() -> table().getSize().x / 2);
        int row = Ui.get(EventTableTest::selectedRow);
        assertThat(menuAt(middle, row)).contains("Clear Filters", "Export To Text...");
        assertThat(menuAt(middle, Ui.get(() -> table().getClientArea().y + 1))).as("a column each").containsAll(Ui.get(() -> columns(table())).stream().filter(name -> !name.isEmpty()).toList());
    }

    /** Typed below a head, Ctrl+Enter leaves the events that match alone. */
    @Test
    void eventsAreFilteredByAColumn() throws Exception {
        int all = Ui.get(() -> table().getItemCount());
        Ui.run(() -> {
            Table table = table();
            Rectangle cell = table.getItem(0).getBounds(columns(table).indexOf("Function"));
            Event click = new Event();
            click.button = 1;
            click.x = cell.x + 2;
            click.y = cell.y + 2;
            table.notifyListeners(SWT.MouseDown, click);
        });
        Ui.run(() -> {
            Text field = Stream.of(table().getChildren()).filter(Text.class::isInstance).map(Text.class::cast).findFirst().orElseThrow();
            field.setText(BASKET);
            Event enter = new Event();
            enter.character = SWT.CR;
            enter.keyCode = SWT.CR;
            enter.stateMask = SWT.CTRL;
            field.notifyListeners(SWT.KeyDown, enter);
        });
        long calls = RealSession.function(BASKET).wall().count();
        Ui.await("entry and exit of each call are counted", () -> table().getItem(1).getText(1).startsWith(2 * calls + "/"));
        assertThat(Ui.get(() -> table().getItem(2).getText(columns(table()).indexOf("Function")))).isEqualTo(BASKET);
        Ui.run(() -> item("Clear Filters").notifyListeners(SWT.Selection, new Event()));
        Ui.await("all are there again", () -> table().getItemCount() == all);
    }

    /** As the view Colors asks for it. */
    @Test
    void eventsAreColouredByAFilter() throws Exception {
        TmfFilterMatchesNode switches = new TmfFilterMatchesNode(null);
        switches.setEventAspect(aspect("Event type"));
        switches.setRegex("switch_out");
        RGB ground = new RGB(200, 220, 255);
        Ui.run(() -> ColorSettingsManager.setColorSettings(new ColorSetting[] {new ColorSetting(new RGB(0, 0, 0), ground, new RGB(0, 0, 0), switches)}));
        try {
            Ui.await("these have it, and no others", () -> {
                Table table = table();
                int type = columns(table).indexOf("Event type");
                List<TableItem> items = Stream.of(table.getItems()).skip(1).filter(item -> !item.getText(type).isEmpty()).toList();
                return items.stream().anyMatch(item -> item.getBackground(type).getRGB().equals(ground)) && items.stream().allMatch(item ->
                        item.getBackground(type).getRGB().equals(ground) == item.getText(type).contains("switch_out"));
            });
        } finally {
            Ui.run(() -> ColorSettingsManager.setColorSettings(new ColorSetting[0]));
        }
    }

    private static ITmfEventAspect<?> aspect(String name) {
        return StreamSupport.stream(RealSession.trace().getEventAspects().spliterator(), false).filter(its -> its.getName().equals(name)).findFirst()
                .orElseThrow();
    }

    private static MenuItem item(String text) {
        menuAt(table().getSize().x / 2, selectedRow());
        Menu menu = table().getMenu();
        menu.notifyListeners(SWT.Show, new Event());
        return Stream.of(menu.getItems()).filter(its -> its.getText().equals(text)).findFirst().orElseThrow();
    }

    /** An event's, which is selected: on the line to search in, the menu is another one. */
    private static int selectedRow() {
        ((TmfVirtualTable) table().getParent()).setSelection(2);
        return table().getItem(2).getBounds(1).y + 2;
    }
}
