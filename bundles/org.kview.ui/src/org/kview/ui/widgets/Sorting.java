// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.util.Comparator;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.Tree;

/** The column by which a table's lines are sorted, and the direction. */
public record Sorting<R, C extends Column<R>>(C column, boolean descending) {

    /** The sorting after a click on a column's head: a second click reverses it. */
    public Sorting<R, C> clicked(C head) {
        return new Sorting<>(head, head.equals(column) ? !descending : head.form().largestFirst());
    }

    public Comparator<R> order() {
        return descending ? column.order().reversed() : column.order();
    }

    /** Marks the column's head. */
    public void show(Table table) {
        table.setSortColumn(table.getColumn(column.ordinal()));
        table.setSortDirection(descending ? SWT.DOWN : SWT.UP);
    }

    /** Likewise a tree's. */
    public void show(Tree tree) {
        tree.setSortColumn(tree.getColumn(column.ordinal()));
        tree.setSortDirection(descending ? SWT.DOWN : SWT.UP);
    }
}
