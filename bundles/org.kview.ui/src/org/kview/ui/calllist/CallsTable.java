// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calllist;

import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.tracecompass.tmf.ui.widgets.virtualtable.TmfVirtualTable;
import org.kview.model.SafeText;
import org.kview.session.calls.CallList;
import org.kview.session.calls.CallOrder;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredCall;
import org.kview.ui.calls.view.Reached;
import org.kview.ui.causes.Swatches;
import org.kview.ui.widgets.NumberCells;

/**
 * The table of calls. Trace Compass's widget holds no more lines than are in sight, so millions cost what a screenful costs.
 */
final class CallsTable {
    private static final String LOADING = "…";

    private final TmfVirtualTable table;
    private final CallPages pages;
    private final Swatches swatches;
    private final NumberCells cells;
    private final Runnable sorted;
    private int sortColumn = CallsColumn.WALL;
    private boolean descending = true;
    /** Whose calls are shown. */
    private Optional<ListJob.Wish> shown = Optional.empty();

    /**
     * @param sorted   runs when the user wants another order
     * @param selected hears of the call of the line that the user went to
     */
    CallsTable(Composite parent, Runnable sorted, Consumer<StoredCall> selected) {
        this.sorted = sorted;
        table = new TmfVirtualTable(parent, SWT.MULTI | SWT.FULL_SELECTION | SWT.H_SCROLL);
        table.setHeaderVisible(true);
        pages = new CallPages(table::refresh);
        // What is read then comes too late.
        table.addDisposeListener(_ -> pages.clear());
        for (int i = 0; i < CallsColumn.ALL.size(); i++) {
            createColumn(i);
        }
        cells = new NumberCells(table, table.getColumns(), CallsColumn.ALL.stream()
                .map(column -> new NumberCells.Head(column.title(), column.width(), column.part().isPresent())).toList(), table::refresh);
        swatches = new Swatches(table, table::refresh);
        table.addListener(SWT.SetData, this::fill);
        table.addListener(SWT.Selection, _ -> pages.call(table.getSelectionIndex()).ifPresent(selected));
        showSorting();
    }

    private void createColumn(int index) {
        CallsColumn column = CallsColumn.ALL.get(index);
        TableColumn widget = table.newTableColumn(column.number() ? SWT.RIGHT : SWT.LEFT);
        widget.setText(SafeText.line(column.title()));
        widget.setToolTipText(SafeText.line(column.tip() + " (" + column.name() + ")"));
        widget.setWidth(column.width());
        widget.setMoveable(true);
        widget.addListener(SWT.Selection, _ -> sortBy(index));
    }

    TmfVirtualTable control() {
        return table;
    }

    /** As a click on the column's head does: a second one turns the order round. */
    void sortBy(int column) {
        descending = column == sortColumn ? !descending : CallsColumn.ALL.get(column).largestFirst();
        sortColumn = column;
        showSorting();
        sorted.run();
    }

    private void showSorting() {
        TableColumn head = table.getColumns()[sortColumn];
        head.getParent().setSortColumn(head);
        head.getParent().setSortDirection(descending ? SWT.DOWN : SWT.UP);
    }

    CallOrder order() {
        return CallsColumn.ALL.get(sortColumn).order(descending);
    }

    /** Shows these from the first on; where the first ones of the same are shown already, the others come behind them. */
    void show(ListJob.Wish wish, CallList list) {
        boolean more = shown.equals(Optional.of(wish));
        boolean grown = hasGrown(wish);
        int[] selected = grown ? selectedEnds().map(place -> pages.list().orElseThrow().number(place)).toArray() : new int[0];
        int below = table.getSelectionIndex() - table.getTopIndex();
        shown = Optional.of(wish);
        if (grown) {
            pages.grow(wish.calls(), list);
        } else {
            pages.show(wish.calls(), list, more);
        }
        if (!more && !grown) {
            update();
            return;
        }
        table.setItemCount(pages.size());
        if (selected.length > 0) {
            follow(list, selected[0], selected[selected.length - 1], below);
        }
        table.refresh();
    }

    /** Whether the same is wanted as before, of more calls. */
    boolean hasGrown(ListJob.Wish wish) {
        return shown.filter(before -> !before.equals(wish) && before.isOfSame(wish)).isPresent();
    }

    /** The ends of the stretch that is selected, last the one that the user went to; one if it is a single line. */
    private IntStream selectedEnds() {
        return Arrays.stream(table.getSelectionIndices()).filter(i -> i >= 0 && i < pages.size());
    }

    /**
     * The call that the user went to stays where it is in sight; others come before and behind it. The table selects stretches: it stays
     * one from the same call to the same call.
     */
    private void follow(CallList list, int from, int to, int below) {
        OptionalInt first = place(list, from);
        OptionalInt last = place(list, to);
        if (first.isPresent() && last.isPresent()) {
            table.setSelectionRange(first.getAsInt(), last.getAsInt());
            table.setTopIndex(Math.max(0, last.getAsInt() - below));
        }
    }

    private static OptionalInt place(CallList list, int number) {
        return IntStream.range(0, list.size()).filter(place -> list.number(place) == number).findFirst();
    }

    void clear() {
        shown = Optional.empty();
        pages.clear();
        update();
    }

    private void update() {
        // Nothing else takes the selection away.
        table.removeAll();
        table.setItemCount(pages.size());
        table.setTopIndex(0);
        table.refresh();
    }

    private void fill(Event event) {
        TableItem item = (TableItem) event.item;
        Optional<StoredCall> call = pages.drawn(event.index);
        String[] texts = new String[CallsColumn.ALL.size()];
        Arrays.fill(texts, "");
        texts[0] = LOADING;
        call.ifPresent(its -> {
            for (int i = 0; i < texts.length; i++) {
                CallsColumn column = CallsColumn.ALL.get(i);
                texts[i] = cells.fit(i, column.text().apply(its), () -> column.fitting(its));
            }
        });
        item.setText(SafeText.cells(texts));
        item.setImage(CallsColumn.CAUSE, call.map(its -> swatches.of(its.mainPart())).orElse(null));
    }

    /** The call of the line that the user went to last. */
    Optional<StoredCall> selected() {
        return pages.call(table.getSelectionIndex());
    }

    Optional<CallList> list() {
        return pages.list();
    }

    boolean isAnySelected() {
        return selectedEnds().findAny().isPresent();
    }

    /** The numbers of the selected calls, or of all if none is selected, no more than that. */
    int[] chosen(int atMost) {
        IntSummaryStatistics ends = selectedEnds().summaryStatistics();
        CallList of = pages.list().orElseThrow();
        return (ends.getCount() == 0 ? IntStream.range(0, of.size()) : IntStream.rangeClosed(ends.getMin(), ends.getMax()))
                .limit(atMost).map(of::number).toArray();
    }

    /** Of the calls that are listed now those with these numbers, for the clipboard; to be asked off the UI thread. */
    Supplier<Optional<String>> csv(int[] numbers) {
        Optional<SessionCallStore> calls = shown.map(ListJob.Wish::calls);
        return () -> calls.flatMap(its -> its.ask(stored -> stored.csv(numbers)).map(text -> Reached.above(its, text)));
    }
}
