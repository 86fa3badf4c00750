// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calllist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;

import org.eclipse.jface.fieldassist.IContentProposal;
import org.eclipse.swt.SWT;
import org.eclipse.swt.dnd.Clipboard;
import org.eclipse.swt.dnd.TextTransfer;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.calls.CallBox;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.session.calls.CallFilter;
import org.kview.session.calls.CallForm;
import org.kview.session.calls.CallList;
import org.kview.session.calls.CallOrder;
import org.kview.session.calls.CallQuery;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.SessionCalls;
import org.kview.session.calls.StoredCall;
import org.kview.session.calls.StoredSession;
import org.kview.session.read.SessionReader;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.calls.CallsState;
import org.kview.ui.calls.GrowingCalls;
import org.kview.ui.functions.FunctionsView;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.widgets.Actions;

class CallsViewTest {
    @TempDir
    static Path folder;

    private static Path session;

    private CallsView view;

    /** Once: none of these tests changes it. */
    @BeforeAll
    static void openSession() throws Exception {
        session = RealSession.in(folder);
        RealSession.openWithTrace(session);
    }

    @AfterAll
    static void closeSession() throws InterruptedException {
        RealSession.close();
    }

    @BeforeEach
    void open() throws Exception {
        view = Ui.view(CallsView.ID, CallsView.class);
        Ui.run(() -> {
            selection().clear();
            view.filterField().setText("");
        });
        awaitListed();
    }

    private void awaitListed() throws InterruptedException {
        Ui.settle();
        Ui.await("they are listed", () -> view.isShown() && Arrays.stream(widget().getItems()).noneMatch(
                item -> item.getText(0).equals("…")));
    }

    private Table widget() {
        return (Table) view.table().control().getColumns()[0].getParent();
    }

    private List<StoredCall> listed() {
        return RealSession.store().ask(calls -> {
            List<StoredCall> all = new ArrayList<>();
            view.table().list().ifPresent(list -> {
                for (int i = 0; i < list.size(); i++) {
                    all.add(calls.call(list.number(i)));
                }
            });
            return all;
        }).orElseThrow();
    }

    private void filter(String text) throws InterruptedException {
        Ui.run(() -> view.filterField().setText(text));
        awaitListed();
    }

    /** As {@code kview calls --csv}. */
    private List<String> told(String where) throws Exception {
        List<String> lines = new ArrayList<>();
        try (SessionReader reader = SessionReader.open(session)) {
            SessionCalls.of(reader, session).tell(new CallQuery(CallFilter.parse(where), Optional.empty(), CallOrder.parse("wall"),
                    OptionalInt.empty()), CallForm.csv(), line -> lines.addAll(List.of(line.split("\r\n"))), _ -> { });
        }
        return lines;
    }

    private static SelectionService selection() {
        return Ui.get(SelectionService::get);
    }

    @Test
    void allCallsStandThereTheSlowestFirst() {
        List<StoredCall> calls = listed();
        assertThat(calls).hasSize(Math.toIntExact(RealSession.calls()));
        assertThat(calls.stream().map(StoredCall::wallNanos)).isSortedAccordingTo(Comparator.reverseOrder());
        long slowest = RealSession.figures().functions().stream().mapToLong(f -> f.wall().maxNanos()).max().orElseThrow();
        assertThat(calls.getFirst().wallNanos()).isEqualTo(slowest);
        String[] first = Ui.get(() -> {
            TableItem item = widget().getItem(0);
            return new String[] {item.getText(0), item.getText(CallsColumn.WALL), item.getText(CallsColumn.CAUSE)};
        });
        assertThat(first).containsExactly(calls.getFirst().function(), LatencyFormat.nanos(slowest),
                calls.getFirst().mainPart().label());
        assertThat(Ui.get(() -> widget().getItemCount())).as("no more lines than are in sight").isLessThan(100);
    }

    /** Pages of it that are still read then come too late, and their table is gone. */
    @Test
    void aViewThatIsClosedHasNoListAnyMore() throws Exception {
        CallsTable table = view.table();
        assertThat(Ui.get(table::list)).isPresent();
        Ui.run(() -> view.getSite().getPage().hideView(view));
        assertThat(Ui.get(table::list)).isEmpty();
    }

    /** What a column sorts by. */
    @SuppressWarnings("unchecked")
    private static Optional<Comparable<Object>> key(String column, StoredCall call) {
        Object key = switch (column) {
            case "function" -> call.function();
            case "start" -> call.startNanos();
            case "cause" -> call.mainPart().id();
            case "thread" -> call.thread();
            case "tid" -> call.tid();
            case "cpu" -> call.cpu();
            case "depth" -> call.depth();
            case "parent" -> call.parent().orElse("");
            case "waker" -> call.waker().map(waker -> waker.substring(0, waker.lastIndexOf('/'))).orElse("");
            case "target" -> call.target();
            default -> call.nanos(Arrays.stream(Metric.values()).filter(metric -> metric.id().equals(column)).findFirst().orElseThrow());
        };
        return key.equals("") ? Optional.empty() : Optional.of((Comparable<Object>) key);
    }

    @Test
    void eachColumnSortsBothWays() throws Exception {
        for (int column = 0; column < CallsColumn.ALL.size(); column++) {
            int sorted = column;
            CallsColumn its = CallsColumn.ALL.get(column);
            for (int click = 0; click < 2; click++) {
                Ui.run(() -> view.table().control().getColumns()[sorted].notifyListeners(SWT.Selection, new Event()));
                awaitListed();
                assertThat(Ui.get(() -> widget().getSortColumn().getText())).isEqualTo(its.title());
                assertThat(Ui.get(() -> view.table().order().descending())).isEqualTo(its.largestFirst() == (click == 0));
                List<StoredCall> calls = listed();
                assertThat(calls).as(its.title()).hasSize(Math.toIntExact(RealSession.calls()));
                List<Optional<Comparable<Object>>> keys = calls.stream().map(call -> key(its.name(), call)).toList();
                int present = (int) keys.stream().takeWhile(Optional::isPresent).count();
                assertThat(keys.subList(present, keys.size())).as(its.title() + ": what has none comes last").allMatch(Optional::isEmpty);
                int direction = its.largestFirst() == (click == 0) ? -1 : 1;
                for (int i = 1; i < present; i++) {
                    assertThat(direction * keys.get(i - 1).get().compareTo(keys.get(i).get())).as(its.title()).isNotPositive();
                }
            }
        }
        Ui.run(() -> view.table().sortBy(CallsColumn.START));
        awaitListed();
        assertThat(listed().stream().map(StoredCall::startNanos)).isSorted();
        Ui.run(() -> view.table().sortBy(CallsColumn.WALL));
    }

    @Test
    void theFilterIsThatOfTheCommand() throws Exception {
        String where = "wall > 1ms && cause == lock || cause == sleep";
        filter(where);
        int wanted = told(where).size() - 1;
        assertThat(listed()).hasSize(wanted).isNotEmpty();
        assertThat(Ui.get(view::statusText)).startsWith(LatencyFormat.count(wanted) + " of ");
        // What can't be understood is said, and what is in sight stays.
        Ui.run(() -> view.filterField().setText("wal > 1ms"));
        assertThat(Ui.get(view::statusText)).contains("did you mean wall?");
        assertThat(listed()).hasSize(wanted);
        // It stays for as long as the mistake does, whatever is listed meanwhile, and no longer.
        Ui.run(() -> view.table().sortBy(CallsColumn.START));
        awaitListed();
        assertThat(Ui.get(view::statusText)).contains("did you mean wall?");
        Ui.run(() -> view.table().sortBy(CallsColumn.WALL));
        awaitListed();
        filter(where);
        assertThat(Ui.get(view::statusText)).as("the list as it was").startsWith(LatencyFormat.count(wanted) + " of ");
        filter("");
        assertThat(listed()).hasSize(Math.toIntExact(RealSession.calls()));
    }

    @Test
    void functionsAndThreadsAreProposedAsOneTypes() {
        List<String> functions = RealSession.figures().functions().stream().map(f -> f.function().name()).toList();
        FilterProposals proposals = new FilterProposals(() -> functions, () -> List.of("worker-1", "flusher"));
        assertThat(proposals(proposals, "wor")).containsExactly("thread == \"worker-1\"");
        assertThat(proposals(proposals, functions.getFirst().substring(0, 4)))
                .contains("function == \"" + functions.getFirst() + "\"");
        assertThat(proposals(proposals, "thread == \"fl")).containsExactly("thread == \"flusher\"");
        assertThat(proposals(proposals, "wall > 1ms && cau")).containsExactly("wall > 1ms && cause");
        assertThat(proposals(proposals, "cause == lo")).containsExactly("cause == lock");
    }

    private static List<String> proposals(FilterProposals proposals, String typed) {
        return Arrays.stream(proposals.getProposals(typed, typed.length())).map(IContentProposal::getContent).toList();
    }

    @Test
    void itFollowsTheSelection() throws Exception {
        FunctionLatency function = RealSession.figures().functions().getFirst();
        Ui.run(() -> selection().select(CallSelection.ALL.withFunctions(Set.of(function.function().id()))));
        awaitListed();
        assertThat(listed()).hasSize(Math.toIntExact(function.wall().count()));
        Distribution wall = Ui.get(() -> view.table().list().orElseThrow().wall());
        assertThat(wall).isEqualTo(function.wall());
        assertThat(Ui.get(() -> ((FunctionsView) Ui.page().findView(FunctionsView.ID)).getViewSite().getSelectionProvider()
                .getSelection().toString())).as("so does the Functions view").contains(function.function().name());
        Ui.run(() -> selection().select(selection().selection().withBox(Optional.empty(),
                Optional.of(new CallBox.Range(wall.maxNanos(), Long.MAX_VALUE)))));
        awaitListed();
        assertThat(listed()).isNotEmpty().allMatch(call -> call.wallNanos() == wall.maxNanos());
        Ui.run(() -> selection().select(CallSelection.ALL.withCauses(Set.of(Metric.LOCK))));
        awaitListed();
        assertThat(listed()).isNotEmpty().allMatch(call -> call.mainPart() == Metric.LOCK);
    }

    /** It is looked at everywhere, and the list stays. */
    @Test
    void theLineThatOneGoesToIsTheTimeInTraceCompass() throws Exception {
        int before = listed().size();
        StoredCall third = listed().get(2);
        Ui.run(() -> {
            view.table().control().setSelection(2);
            Event event = new Event();
            event.item = widget().getItem(2);
            widget().notifyListeners(SWT.Selection, event);
        });
        Ui.settle();
        assertThat(Ui.get(() -> selection().focus())).contains(third.time());
        var range = Ui.get(() -> TmfTraceManager.getInstance().getCurrentTraceContext().getSelectionRange());
        assertThat(RealSession.time(range)).isEqualTo(third.time());
        awaitListed();
        assertThat(listed()).hasSize(before);
    }

    @Test
    void whatIsCopiedIsWhatTheCommandWrites() throws Exception {
        String where = "wall > 5ms";
        filter(where);
        Ui.run(() -> view.getViewSite().getActionBars().getMenuManager().getItems());
        int[] all = Ui.get(() -> view.table().chosen(Integer.MAX_VALUE));
        assertThat(List.of(Ui.get(() -> view.table().csv(all)).get().orElseThrow().split("\r\n"))).containsExactlyInAnyOrderElementsOf(told(where));
        Ui.run(() -> new CallsActions(view, view.table(), selection()).copy());
        Ui.await("it is on the clipboard", () -> {
            Clipboard clipboard = new Clipboard(Display.getCurrent());
            try {
                return clipboard.getContents(TextTransfer.getInstance()) instanceof String text
                        && List.of(text.split("\r?\n")).size() == all.length + 1;
            } finally {
                clipboard.dispose();
            }
        });
    }

    /** Those that are selected are there, all of a stretch, whatever else is still being listed. */
    @Test
    void whatIsSelectedIsCopiedBeforeAllAreListed() throws Exception {
        SessionCallStore calls = RealSession.store();
        Supplier<Optional<String>> csv = Ui.get(() -> {
            view.callsChanged(new CallsState.None());
            view.callsChanged(new CallsState.Stored(calls));
            CallSelector selector = selection().selection().selector(Optional.empty());
            view.table().show(new ListJob.Wish(calls, selector, CallFilter.ALL, view.table().order()),
                    calls.ask(its -> its.slowest(selector, 3, () -> true)).orElseThrow());
            view.table().control().setSelectionRange(2, 0);
            assertThat(view.isShown()).as("all are listed").isFalse();
            return view.table().csv(view.table().chosen(Integer.MAX_VALUE));
        });
        assertThat(csv.get().orElseThrow().split("\r\n")).as("its head and the lines that are selected, not the ends of their stretch alone").hasSize(4);
        awaitListed();
    }

    /** A part of them is not all: that is said, and the others come behind and before the line that one looks at. */
    @Test
    void callsAreListedWhileOthersAreStored() throws Exception {
        String all = Ui.get(view::statusText);
        try (GrowingCalls growing = new GrowingCalls(session, folder.resolve("growing"))) {
            int first = growing.part().ask(StoredSession::calls).orElseThrow();
            awaitListed();
            assertThat(first).isLessThan(Math.toIntExact(RealSession.calls()));
            assertThat(Ui.get(view::soFar)).startsWith("Calls until ");
            assertThat(Ui.get(view::statusText)).startsWith(LatencyFormat.count(first) + " calls");
            Ui.run(() -> view.table().control().setSelectionRange(1, 3));
            StoredCall chosen = Ui.get(view::selected).orElseThrow();
            int begin = Ui.get(() -> view.table().chosen(1)[0]);
            int more = growing.all().ask(StoredSession::calls).orElseThrow();
            assertThat(more).isGreaterThan(first);
            Ui.await("more of them are listed", () -> view.statusText().startsWith(LatencyFormat.count(more) + " calls"));
            awaitListed();
            assertThat(Ui.get(view::selected).orElseThrow().time()).isEqualTo(chosen.time());
            assertThat(Ui.get(() -> view.table().chosen(99))).as("the stretch").startsWith(begin).hasSizeGreaterThanOrEqualTo(3);
        }
        Ui.await("all of them are listed", () -> view.statusText().equals(all));
        assertThat(Ui.get(view::soFar)).isEmpty();
        awaitListed();
    }

    /** Lines that were there stay in sight until those of the longer list are read. */
    @Test
    void aListThatGrowsNeverSaysThatItIsRead() throws Exception {
        SessionCallStore all = RealSession.store();
        try (GrowingCalls growing = new GrowingCalls(session, folder.resolve("flicker"))) {
            growing.part();
            awaitListed();
            Ui.run(() -> {
                ListJob.Wish wish = new ListJob.Wish(all, CallSelector.ALL, CallFilter.ALL, view.table().order());
                view.table().show(wish, all.ask(its -> its.list(wish.selector(), wish.filter(), wish.order(), _ -> true)).orElseThrow());
                assertThat(Arrays.stream(widget().getItems()).map(item -> item.getText(0))).isNotEmpty().doesNotContain("…");
            });
        }
        awaitListed();
    }

    /** A page that had the first calls alone is read again where the list goes on. */
    @Test
    void aListThatGoesOnWithinAPageIsReadAgain() throws Exception {
        SessionCallStore calls = RealSession.store();
        CallSelector selector = selection().selection().selector(Optional.empty());
        ListJob.Wish wish = new ListJob.Wish(calls, selector, CallFilter.ALL, CallOrder.SLOWEST_FIRST);
        Ui.run(() -> {
            view.table().clear();
            view.table().show(wish, calls.ask(its -> its.slowest(selector, 3, () -> true)).orElseThrow());
        });
        Ui.await("the first three are read", () -> !widget().getItem(2).getText(0).equals("…"));
        Ui.run(() -> view.table().show(wish, calls.ask(its -> its.slowest(selector, 5, () -> true)).orElseThrow()));
        Ui.await("the others are read", () -> !widget().getItem(4).getText(0).equals("…"));
        assertThat(listed()).hasSize(5);
        Ui.run(() -> view.table().sortBy(CallsColumn.WALL));
        awaitListed();
        Ui.run(() -> view.table().sortBy(CallsColumn.WALL));
        awaitListed();
    }

    /** While the others are being sorted, those that are there are not all. */
    @Test
    void whatIsIncompleteIsNotCopiedAsIfItWereAll() throws Exception {
        String before = "nothing was copied";
        Ui.run(() -> {
            Actions.copy(Display.getCurrent(), before);
            view.table().sortBy(CallsColumn.WALL);
            new CallsActions(view, view.table(), selection()).copy();
            assertThat(view.statusText()).startsWith("Nothing was copied, as the calls are still being listed");
        });
        awaitListed();
        Ui.run(() -> view.table().sortBy(CallsColumn.WALL));
        awaitListed();
        assertThat(Ui.get(() -> {
            Clipboard clipboard = new Clipboard(Display.getCurrent());
            try {
                return clipboard.getContents(TextTransfer.getInstance());
            } finally {
                clipboard.dispose();
            }
        })).isEqualTo(before);
    }
}
