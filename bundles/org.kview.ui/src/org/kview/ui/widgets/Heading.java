// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.util.List;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.kview.model.SafeText;

/**
 * The head of a column of a table that is not sorted.
 *
 * @param width     in pixels
 * @param alignment {@link SWT#LEFT} or {@link SWT#RIGHT}
 * @param time      whether its cells are times, see {@link NumberCells}
 */
public record Heading(String title, int width, int alignment, boolean time) {
    public static Heading text(String title, int width) {
        return new Heading(title, width, SWT.LEFT, false);
    }

    public static Heading number(String title, int width) {
        return new Heading(title, width, SWT.RIGHT, false);
    }

    public static Heading time(String title, int width) {
        return new Heading(title, width, SWT.RIGHT, true);
    }

    /** Gives a table its columns, and shows their heads. */
    public static void show(Table table, List<Heading> headings) {
        table.setHeaderVisible(true);
        for (Heading heading : headings) {
            TableColumn column = new TableColumn(table, heading.alignment());
            column.setText(SafeText.line(heading.title()));
            column.setWidth(heading.width());
        }
    }
}
