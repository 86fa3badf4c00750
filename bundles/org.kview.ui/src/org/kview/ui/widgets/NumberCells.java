// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Font;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.kview.model.SafeText;
import org.kview.ui.text.TableTimes;

/**
 * The numbers in the cells of a table. The window system cuts off what has no room in a cell, and what it leaves of a number is another
 * number. So a time without room gets the unit that fits it, and what has no room then an ellipsis. Columns of times that are all in one unit have
 * the unit in their heads, and more room.
 */
public final class NumberCells {
    private static final String NO_ROOM = "…";
    /** What GTK keeps free at both sides of a text, and some more for other themes. */
    private static final int AT_BOTH_SIDES = 10;

    private final Composite table;
    private final TableColumn[] columns;
    private final List<Head> heads;
    private final Map<String, Integer> widths = new HashMap<>();
    private Font measured;
    private TableTimes.Unit unit = TableTimes.Unit.FITTING;

    /**
     * The head of a column.
     *
     * @param title without the unit
     * @param width in pixels, where each time has the unit that fits it
     * @param time  whether its cells are times
     */
    public record Head(String title, int width, boolean time) {
    }

    /**
     * @param table   what draws the cells
     * @param columns in the order in which they were made, as are their heads
     * @param refill  writes the cells in sight anew
     */
    public NumberCells(Composite table, TableColumn[] columns, List<Head> heads, Runnable refill) {
        this.table = table;
        this.columns = columns.clone();
        this.heads = List.copyOf(heads);
        Runnable anew = () -> {
            adapt();
            refill.run();
        };
        adapt();
        for (TableColumn column : columns) {
            if (isNumber(column)) {
                column.addListener(SWT.Resize, _ -> refill.run());
            }
        }
        TableTimes.follow(table, anew);
    }

    /** Of a table whose columns are these. */
    public static NumberCells of(Table table, List<? extends Column<?>> columns, Runnable refill) {
        return new NumberCells(table, table.getColumns(), columns.stream()
                .map(column -> new Head(column.title(), column.width(), column.form().isTime())).toList(), refill);
    }

    private static boolean isNumber(TableColumn column) {
        return (column.getStyle() & SWT.RIGHT) != 0;
    }

    /** A column that the user has given another width keeps it. */
    private void adapt() {
        TableTimes.Unit before = unit;
        unit = TableTimes.unit();
        for (int i = 0; i < columns.length; i++) {
            if (heads.get(i).time()) {
                columns[i].setText(SafeText.line(unit.head(heads.get(i).title())));
                if (columns[i].getWidth() == width(i, before)) {
                    columns[i].setWidth(width(i, unit));
                }
            }
        }
    }

    private int width(int index, TableTimes.Unit of) {
        int least = heads.get(index).width();
        return of.longest().isEmpty() ? least : Math.max(least, needed(of.longest()));
    }

    /** The width of a column that comes into sight again: more than it had where its times have a longer unit now. */
    public int width(int index, int before) {
        boolean chosen = !heads.get(index).time() || Arrays.stream(TableTimes.Unit.values()).noneMatch(of -> width(index, of) == before);
        return chosen ? before : width(index, unit);
    }

    /** What a row's cells show. */
    public <R> String[] texts(Column<R>[] of, R row) {
        return IntStream.range(0, of.length).mapToObj(i -> fit(i, of[i].text(row), () -> of[i].fitting(row))).toArray(String[]::new);
    }

    /**
     * What the cell of a column shows.
     *
     * @param text    what it should
     * @param fitting the same as a time in the unit that fits it; asked only for times
     */
    public String fit(int index, String text, Supplier<String> fitting) {
        int width = columns[index].getWidth();
        // A hidden column has none.
        if (width == 0 || !isNumber(columns[index]) || needed(text) <= width) {
            return text;
        }
        String shorter = heads.get(index).time() ? fitting.get() : NO_ROOM;
        return needed(shorter) <= width ? shorter : NO_ROOM;
    }

    private int needed(String text) {
        if (!table.getFont().equals(measured)) {
            measured = table.getFont();
            widths.clear();
        }
        return widths.computeIfAbsent(shape(text), this::measure);
    }

    /** All digits are equally wide, so that thousands of numbers have few widths. */
    private static String shape(String text) {
        StringBuilder shape = new StringBuilder(text);
        for (int i = 0; i < shape.length(); i++) {
            if (Character.isDigit(shape.charAt(i))) {
                shape.setCharAt(i, '0');
            }
        }
        return shape.toString();
    }

    private int measure(String shape) {
        GC gc = new GC(table);
        try {
            return gc.textExtent(shape).x + AT_BOTH_SIDES;
        } finally {
            gc.dispose();
        }
    }
}
