// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.DoubleFunction;
import java.util.function.Function;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.swt.widgets.TreeColumn;
import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.ui.text.TableTimes;

/**
 * A column of a table that can be sorted: its head, its texts, and the order that a click on its head
 * asks for. The columns of a table are an enum, in their order from the left.
 *
 * @param <R> what a line shows
 */
public interface Column<R> {

    /**
     * What is known of a column.
     *
     * @param tip          what the pointer is told on the head; may be empty
     * @param width        in pixels, at first
     * @param number       whether its texts stand at the right
     * @param largestFirst whether the first click puts the largest on top
     * @param text         of a row's cell
     * @param fitting      of a time, its text in the unit that fits it
     * @param order        of rows, ascending
     */
    record Form<R>(String title, String tip, int width, boolean number, boolean largestFirst, Function<R, String> text,
            Optional<Function<R, String>> fitting, Comparator<R> order) {

        /** Words, in the order of a dictionary whatever their case. */
        public static <R> Form<R> words(String title, int width, Function<R, String> text) {
            return text(title, width, text, Comparator.comparing(text, String.CASE_INSENSITIVE_ORDER));
        }

        /** A text that has an order of its own. */
        public static <R> Form<R> text(String title, int width, Function<R, String> text, Comparator<R> order) {
            return new Form<>(title, "", width, false, false, text, Optional.empty(), order);
        }

        /** A number; one looks for the largest first. */
        public static <R> Form<R> number(String title, int width, Function<R, String> text, Comparator<R> order) {
            return new Form<>(title, "", width, true, true, text, Optional.empty(), order);
        }

        /**
         * A time, in the unit that is chosen for tables. Unknown ones sort below all others.
         *
         * @param nanos   of a row
         * @param unknown the text where there is none
         */
        public static <R> Form<R> time(String title, int width, Function<R, OptionalDouble> nanos, String unknown) {
            return new Form<>(title, "", width, true, true, time(nanos, TableTimes::text, unknown),
                    Optional.of(time(nanos, LatencyFormat::nanos, unknown)), Comparator.comparingDouble(row -> nanos.apply(row).orElse(-1)));
        }

        private static <R> Function<R, String> time(Function<R, OptionalDouble> nanos, DoubleFunction<String> text, String unknown) {
            return row -> {
                OptionalDouble time = nanos.apply(row);
                return time.isPresent() ? text.apply(time.getAsDouble()) : unknown;
            };
        }

        public boolean isTime() {
            return fitting.isPresent();
        }

        public Form<R> tip(String sentence) {
            return new Form<>(title, sentence, width, number, largestFirst, text, fitting, order);
        }

        /** The first click puts the largest on top. */
        public Form<R> descending() {
            return new Form<>(title, tip, width, number, true, text, fitting, order);
        }
    }

    Form<R> form();

    /** Its place from the left, where the user has moved none. */
    int ordinal();

    default String title() {
        return form().title();
    }

    default int width() {
        return form().width();
    }

    default boolean isNumber() {
        return form().number();
    }

    /** What a row's cell shows. */
    default String text(R row) {
        return form().text().apply(row);
    }

    /** The same, of a time in the unit that fits it. */
    default String fitting(R row) {
        return form().fitting().orElse(form().text()).apply(row);
    }

    /** Ascending. */
    default Comparator<R> order() {
        return form().order();
    }

    /** What a row's cells show. */
    static <R> String[] texts(Column<R>[] columns, R row) {
        return Arrays.stream(columns).map(column -> column.text(row)).toArray(String[]::new);
    }

    /**
     * Gives a table its columns.
     *
     * @param clicked hears of a click on a head
     */
    static <C extends Column<?>> void create(Table table, List<C> columns, Consumer<C> clicked) {
        table.setHeaderVisible(true);
        for (C column : columns) {
            TableColumn widget = new TableColumn(table, column.isNumber() ? SWT.RIGHT : SWT.LEFT);
            widget.setText(SafeText.line(column.title()));
            widget.setToolTipText(SafeText.line(column.form().tip()));
            widget.setWidth(column.width());
            widget.setMoveable(true);
            widget.addListener(SWT.Selection, _ -> clicked.accept(column));
        }
    }

    /** Likewise a tree. */
    static <C extends Column<?>> void create(Tree tree, List<C> columns, Consumer<C> clicked) {
        tree.setHeaderVisible(true);
        for (C column : columns) {
            TreeColumn widget = new TreeColumn(tree, column.isNumber() ? SWT.RIGHT : SWT.LEFT);
            widget.setText(SafeText.line(column.title()));
            widget.setToolTipText(SafeText.line(column.form().tip()));
            widget.setWidth(column.width());
            widget.setMoveable(true);
            widget.addListener(SWT.Selection, _ -> clicked.accept(column));
        }
    }
}
