/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.widgets;

import java.util.List;
import java.util.function.BiConsumer;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;

/**
 * Brings a table's lines in step with a list, touching only those that differ.
 *
 * <p>The tables are plain, not virtual: on GTK a virtual table that shrinks leaves items behind whose
 * line is gone, and the next change of theme, which visits every item, takes the process down with it.
 */
public final class TableRows {
    private TableRows() {
    }

    /**
     * @param rows what the lines show; a line whose row equals what it showed before is left as it is
     * @param fill writes a row's texts into its line
     */
    public static <R> void show(Table table, List<R> rows, BiConsumer<TableItem, R> fill) {
        boolean many = Math.abs(table.getItemCount() - rows.size()) > 20;
        if (many) {
            table.setRedraw(false);
        }
        if (table.getItemCount() > rows.size()) {
            table.remove(rows.size(), table.getItemCount() - 1);
        }
        for (int i = 0; i < rows.size(); i++) {
            TableItem item = i < table.getItemCount() ? table.getItem(i) : new TableItem(table, SWT.NONE);
            R row = rows.get(i);
            if (!row.equals(item.getData())) {
                item.setData(row);
                fill.accept(item, row);
            }
        }
        if (many) {
            table.setRedraw(true);
        }
    }
}
