// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.kview.model.SafeText;
import org.kview.model.Wait;
import org.kview.model.WaitPlace;
import org.kview.model.Waits;
import org.kview.session.report.CsvLine;
import org.kview.ui.widgets.Column;
import org.kview.ui.widgets.NumberCells;
import org.kview.ui.widgets.Sorting;
import org.kview.ui.widgets.TableRows;

/** The list of a function's waits. */
final class WaitsTable {
    private final Table table;
    private final Swatches swatches;
    private final TableRows<WaitRow> lines;
    private final NumberCells cells;
    private Sorting<WaitRow, WaitColumn> sorting = new Sorting<>(WaitColumn.TIME, true);
    private String function = "";
    private List<WaitRow> rows = List.of();

    WaitsTable(Composite parent) {
        table = new Table(parent, SWT.MULTI | SWT.FULL_SELECTION | SWT.VIRTUAL | SWT.V_SCROLL | SWT.H_SCROLL);
        Column.create(table, List.of(WaitColumn.values()), head -> {
            sorting = sorting.clicked(head);
            show(function, rows);
        });
        lines = new TableRows<>(table, this::fill);
        swatches = new Swatches(table, lines::refill);
        cells = NumberCells.of(table, List.of(WaitColumn.values()), lines::refill);
    }

    Table control() {
        return table;
    }

    private void fill(TableItem item, WaitRow row) {
        item.setImage(swatches.of(row.waited().cause()));
        item.setText(SafeText.cells(cells.texts(WaitColumn.values(), row)));
    }

    void show(String name, Waits waits) {
        show(name, WaitRow.of(waits));
    }

    /** While a recording runs the lines change their places: what is selected goes with them, but not to another function. */
    private void show(String name, List<WaitRow> next) {
        Set<WaitRow.Key> chosen = name.equals(function) ? selected().stream().map(WaitRow::key).collect(Collectors.toSet()) : Set.of();
        function = name;
        rows = next.stream().sorted(sorting.order()).toList();
        sorting.show(table);
        lines.show(rows);
        int[] places = IntStream.range(0, rows.size()).filter(i -> chosen.contains(rows.get(i).key())).toArray();
        if (!Arrays.equals(places, table.getSelectionIndices())) {
            table.deselectAll();
            table.select(places);
        }
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    private List<WaitRow> selected() {
        return Arrays.stream(table.getSelectionIndices()).sorted().filter(i -> i < rows.size()).mapToObj(rows::get).toList();
    }

    /**
     * The selected waits, or all where none is selected, in whole ns, as they are sorted; what is not known is empty. A stack's
     * functions are parted by semicolons, the innermost first.
     */
    String csv() {
        StringBuilder csv = new StringBuilder(CsvLine.of(List.of("function", "cause", "lock_address", "lock", "waker", "tid", "pid", "name",
                "count", "total_ns", "place", "kernel_function", "kernel_stack", "system_call", "descriptor", "kind", "path", "local", "peer",
                "peer_pid", "holder_tid", "holder_pid", "holder_name", "holder_function", "program_stack")));
        List<WaitRow> selected = selected();
        (selected.isEmpty() ? rows : selected).forEach(row -> csv.append(csv(row.waited())));
        return csv.toString();
    }

    private String csv(Wait wait) {
        WaitPlace place = wait.place();
        List<String> fields = new ArrayList<>(List.of(function, wait.cause().id(), wait.lockAddress() == 0 ? "" : "0x" + Long.toHexString(wait.lockAddress()),
                wait.lockName(), wait.waker().kind().id(), number(wait.waker().tid()), number(wait.waker().pid()), wait.waker().name(),
                Long.toString(wait.count()), Long.toString(wait.nanos()), place.kind() == WaitPlace.Kind.UNKNOWN ? "" : place.kind().id(),
                place.kind() == WaitPlace.Kind.STACK ? place.functions().get(place.chosen()) : "", String.join(";", place.functions()),
                wait.call().name()));
        fields.addAll(wait.call().descriptor().map(d -> List.of(Integer.toString(d.number()), d.kind().id(), d.name(), d.local(), d.peer(),
                number(d.peerPid()))).orElse(List.of("", "", "", "", "", "")));
        fields.addAll(wait.holder().map(h -> List.of(number(h.tid()), number(h.pid()), h.name(), h.function())).orElse(List.of("", "", "", "")));
        fields.add(String.join(";", wait.program().functions()));
        return CsvLine.of(fields);
    }

    private static String number(int id) {
        return id == 0 ? "" : Integer.toString(id);
    }
}
