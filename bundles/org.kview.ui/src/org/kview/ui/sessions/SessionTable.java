/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.sessions;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.jface.resource.LocalResourceManager;
import org.eclipse.jface.resource.ResourceLocator;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.swt.widgets.TableItem;
import org.kview.session.SessionSummary;
import org.kview.ui.KviewUi;
import org.kview.ui.theme.Palette;
import org.kview.ui.widgets.TableRows;

/** The table of sessions. */
final class SessionTable {
    private final Table table;
    private final SessionRows rows = new SessionRows();
    private final Map<SessionColumn, TableColumn> columns = new EnumMap<>(SessionColumn.class);
    private final LocalResourceManager images;

    SessionTable(Composite parent) {
        table = new Table(parent, SWT.MULTI | SWT.FULL_SELECTION | SWT.V_SCROLL | SWT.H_SCROLL);
        table.setHeaderVisible(true);
        images = new LocalResourceManager(JFaceResources.getResources(), table);
        for (SessionColumn column : SessionColumn.values()) {
            TableColumn widget = new TableColumn(table, column.number() ? SWT.RIGHT : SWT.LEFT);
            widget.setText(column.title());
            widget.setWidth(column.width());
            widget.setMoveable(true);
            widget.addListener(SWT.Selection, event -> sortBy(column));
            columns.put(column, widget);
        }
        showSortColumn();
    }

    Table control() {
        return table;
    }

    SessionRows rows() {
        return rows;
    }

    void setSessions(List<SessionSummary> sessions) {
        change(() -> rows.setSessions(sessions));
    }

    void setSearch(String text) {
        change(() -> rows.setSearch(text));
    }

    /** As a click on the column's head does: a second one turns the order round. */
    void sortBy(SessionColumn column) {
        boolean again = rows.sortColumn() == column;
        sortBy(column, again ? !rows.descending() : column.descendingAtFirst());
    }

    void sortBy(SessionColumn column, boolean descending) {
        change(() -> rows.sortBy(column, descending));
        showSortColumn();
    }

    private void showSortColumn() {
        table.setSortColumn(columns.get(rows.sortColumn()));
        table.setSortDirection(rows.descending() ? SWT.DOWN : SWT.UP);
    }

    private void change(Runnable change) {
        Set<Path> selected = new HashSet<>(selection().stream().map(SessionSummary::path).toList());
        change.run();
        TableRows.show(table, rows.shown(), this::fill);
        mark(selected);
    }

    private void mark(Set<Path> paths) {
        List<SessionSummary> shown = rows.shown();
        int[] wanted = IntStream.range(0, shown.size()).filter(i -> paths.contains(shown.get(i).path())).toArray();
        // Selecting scrolls; the list must stay where the user put it.
        if (!Arrays.equals(IntStream.of(table.getSelectionIndices()).sorted().toArray(), wanted)) {
            table.deselectAll();
            table.select(wanted);
        }
    }

    /** Selects these, as far as they are shown, and scrolls to the first. */
    void select(Set<Path> paths) {
        mark(paths);
        table.showSelection();
    }

    /** Selected sessions, in the order of the table. */
    List<SessionSummary> selection() {
        return IntStream.of(table.getSelectionIndices()).sorted().filter(i -> i < rows.shown().size())
                .mapToObj(rows.shown()::get).toList();
    }

    private void fill(TableItem item, SessionSummary session) {
        item.setText(Arrays.stream(SessionColumn.values()).map(column -> clean(column.text(session)))
                .toArray(String[]::new));
        item.setImage(image(session));
        boolean ill = session.state() == SessionSummary.State.DAMAGED || session.state() == SessionSummary.State.CUT_OFF;
        item.setForeground(SessionColumn.NOTES.ordinal(), ill ? Palette.of(table).warning() : null);
    }

    /** A name or a note of a hostile session must not break the line or turn its direction. */
    private static String clean(String text) {
        return text.codePoints().limit(500).map(c -> Character.isISOControl(c)
                || Character.getType(c) == Character.FORMAT ? '\ufffd' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }

    private Image image(SessionSummary session) {
        String icon = switch (session.state()) {
            case DAMAGED -> "session_damaged";
            case CUT_OFF -> "session_cut";
            case RECORDING -> "record";
            case WHOLE -> session.zip() ? "session_zip" : "session";
        };
        return ResourceLocator.imageDescriptorFromBundle(KviewUi.BUNDLE_ID, "icons/" + icon + ".svg")
                .map(images::get).orElse(null);
    }
}
