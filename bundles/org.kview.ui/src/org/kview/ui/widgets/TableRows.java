// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.util.BitSet;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.kview.ui.text.TableTimes;

/**
 * The lines of a virtual table: those of a list. A line gets its texts when it comes into sight, so that
 * thousands cost what a screenful costs, also where all of them change several times a second.
 *
 * <p>Nobody else may change the number of the table's lines: see {@link #remove}.
 *
 * @param <R> what a line shows
 */
public final class TableRows<R> {
    private final Table table;
    private final BiConsumer<TableItem, R> fill;
    private List<R> rows = List.of();
    /** Lines that have texts; each keeps in its data the row that they are of. */
    private final BitSet filled = new BitSet();

    /**
     * @param table with the style {@link SWT#VIRTUAL}
     * @param fill  writes a row's texts into its line
     */
    public TableRows(Table table, BiConsumer<TableItem, R> fill) {
        if ((table.getStyle() & SWT.VIRTUAL) == 0) {
            throw new IllegalArgumentException("The table is not virtual");
        }
        this.table = table;
        this.fill = fill;
        table.addListener(SWT.SetData, event -> fill((TableItem) event.item, event.index));
        TableTimes.follow(table, this::refill);
    }

    /** Typing in the table selects the next line whose name begins so: GTK's own search knows no lines out of sight. */
    public TableRows<R> searchedBy(Function<R, String> name) {
        TypeAhead typed = new TypeAhead();
        table.addListener(SWT.KeyDown, event -> typed.find(event, IntStream.range(0, rows.size()).mapToObj(rows::get)
                .map(name).toList(), table.getSelectionIndex()).ifPresent(this::choose));
        return this;
    }

    private void choose(int index) {
        table.setSelection(index);
        Event event = new Event();
        event.item = table.getItem(index);
        table.notifyListeners(SWT.Selection, event);
    }

    /**
     * Shows these rows. A line whose row equals what it showed before is left as it is. Where lines go, so
     * does the selection.
     */
    public void show(List<R> next) {
        // First of all: GTK may ask for a line at once.
        rows = next;
        if (next.size() < table.getItemCount()) {
            remove(next.size());
        } else {
            table.setItemCount(next.size());
        }
        renew((row, item) -> !row.equals(item.getData()));
    }

    /**
     * Keeps so many lines. While a line is removed, GTK may ask for the texts of the line that takes its place.
     * SWT creates an item for that line and then loses it without disposing it; the next change of theme, which
     * visits every item, would visit the stale one and crash. So that item is created before the removal, and SWT
     * disposes it. And lines are never removed all at once, as SWT then forgets every item before GTK asks.
     */
    private void remove(int count) {
        int top = table.getTopIndex();
        // Else GTK would move the cursor from each removed line to the next one, which is removed as well.
        table.setSelection(0);
        table.deselectAll();
        int kept = Math.max(1, count);
        if (kept < table.getItemCount()) {
            table.getItem(kept);
            table.setItemCount(kept);
        }
        if (count == 0) {
            table.remove(0);
        } else {
            table.setTopIndex(Math.min(top, count - 1));
        }
        filled.clear(count, Math.max(count, filled.length()));
    }

    /** Writes the lines' texts anew. */
    public void refill() {
        renew((_, _) -> true);
    }

    /** A line that is not in sight gets its texts when it comes there. */
    private void renew(BiPredicate<R, TableItem> stale) {
        int first = table.getTopIndex();
        int last = first + table.getClientArea().height / Math.max(1, table.getItemHeight()) + 1;
        for (int i = filled.nextSetBit(0); i >= 0; i = filled.nextSetBit(i + 1)) {
            TableItem item = table.getItem(i);
            if (!stale.test(rows.get(i), item)) {
                continue;
            }
            if (i >= first && i <= last) {
                fill(item, i);
            } else {
                filled.clear(i);
                table.clear(i);
            }
        }
    }

    /** GTK also asks for lines that are being removed. */
    private void fill(TableItem item, int index) {
        if (index >= 0 && index < rows.size()) {
            R row = rows.get(index);
            filled.set(index);
            item.setData(row);
            fill.accept(item, row);
        }
    }
}
