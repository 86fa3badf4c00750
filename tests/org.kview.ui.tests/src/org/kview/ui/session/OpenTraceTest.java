// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.tracecompass.tmf.core.signal.TmfSelectionRangeUpdatedSignal;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignalManager;
import org.eclipse.tracecompass.tmf.core.statistics.TmfStatisticsModule;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimeRange;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimestamp;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kview.model.Bookmark.Range;
import org.kview.testing.ForeignTrace;
import org.kview.trace.KviewTrace;
import org.kview.trace.babeltrace.BabeltraceTrace;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.commands.Commands;
import org.kview.ui.selection.SelectionService;

class OpenTraceTest {
    @TempDir
    Path folder;

    @AfterEach
    void close() throws InterruptedException {
        Ui.run(() -> Ui.page().closeAllEditors(false));
        Ui.get(SessionController::get).close().join();
        Ui.await("no trace is open", () -> TmfTraceManager.getInstance().getOpenedTraces().isEmpty());
        Ui.settle();
    }

    private static void open(Path trace) {
        Ui.run(() -> Commands.run(Ui.page().getWorkbenchWindow(), KviewUi.COMMAND_OPEN_TRACE,
                Map.of(KviewUi.PARAMETER_FOLDER, trace.toString())));
    }

    private static ITmfTrace active() {
        return TmfTraceManager.getInstance().getActiveTrace();
    }

    private static BabeltraceTrace opened(int events) throws InterruptedException {
        Ui.await("the trace is open, and read", () -> active() instanceof BabeltraceTrace trace && trace.getNbEvents() == events);
        return (BabeltraceTrace) active();
    }

    /** The table of events. */
    private static Optional<Table> table() {
        return Dialogs.all(Ui.page().getWorkbenchWindow().getShell(), Table.class).stream().filter(Table::isVisible)
                .filter(table -> columns(table).contains("Event type")).findFirst();
    }

    private static List<String> columns(Table table) {
        return Stream.of(table.getColumns()).map(TableColumn::getText).toList();
    }

    private static boolean shows(String column, String text) {
        return table().filter(table -> Stream.of(table.getItems())
                .anyMatch(item -> item.getText(columns(table).indexOf(column)).equals(text))).isPresent();
    }

    /** What Trace Compass refuses, as a user opens it and sees it. */
    @ParameterizedTest
    @EnumSource
    void aTraceThatTraceCompassRefusesOpens(ForeignTrace.Refused kind) throws Exception {
        open(kind.write(folder.resolve(kind.name())));
        opened(2);
        for (String contents : kind.contents()) {
            Ui.await("the table shows " + contents, () -> shows("Contents", contents));
        }
        assertThat(Ui.get(() -> shows("Event type", "request") && shows("CPU", "" + ForeignTrace.CPU))).isTrue();
        assertThat(Ui.get(() -> Ui.page().isEditorAreaVisible())).isTrue();
        assertThat(Ui.get(() -> Ui.page().isPartVisible(Ui.page().findView(KviewUi.VIEW_TRACE_HISTOGRAM)))).isTrue();
    }

    @Test
    void whatCantBeReadIsSaidInADialog() throws Exception {
        open(folder);
        assertThat(refusal()).contains("There is no CTF trace in " + folder + ": a trace is a folder with a file named metadata.");
        Files.writeString(folder.resolve("metadata"), "/* CTF 1.8 */ nonsense");
        open(folder);
        assertThat(refusal()).contains("The trace in " + folder + " can't be opened: ");
        assertThat(Ui.get(() -> Ui.page().getEditorReferences())).isEmpty();
    }

    private static String refusal() throws InterruptedException {
        Shell dialog = Dialogs.await("Open Trace");
        String text = Dialogs.text(dialog);
        Dialogs.press(dialog, "OK");
        Dialogs.awaitNone("Open Trace");
        return text;
    }

    /** As LTTng writes them: each is a trace of its own, and one that Trace Compass reads is left to it. */
    @Test
    void tracesInFoldersBelowOpenTogether() throws Exception {
        ForeignTrace.plain(folder.resolve("auto/kernel"));
        ForeignTrace.Refused.LARGE_LABEL.write(folder.resolve("auto/ust/uid/0/64-bit"));
        open(folder.resolve("auto"));
        Ui.await("both are open", () -> TmfTraceManager.getInstance().getOpenedTraces().size() == 2);
        assertThat(Ui.get(() -> TmfTraceManager.getInstance().getOpenedTraces())).extracting(ITmfTrace::getName)
                .containsExactlyInAnyOrder("auto kernel", "auto ust uid 0 64-bit");
        assertThat(Ui.get(() -> TmfTraceManager.getInstance().getOpenedTraces())).filteredOn(BabeltraceTrace.class::isInstance).hasSize(1);
        open(folder.resolve("auto"));
        Ui.await("the first one is on top", () -> active() != null && active().getName().equals("auto kernel"));
        assertThat(Ui.get(() -> TmfTraceManager.getInstance().getOpenedTraces())).as("those are open already").hasSize(2);
    }

    /** The session's and another tool's trace have one time axis, and a time that the session does not have is not selected in it. */
    @Test
    void aTimeThatIsSelectedInItIsTheSessionsToo() throws Exception {
        RealSession.openWithTrace(RealSession.in(folder));
        KviewTrace session = RealSession.trace();
        long begin = session.getStartTime().toNanos();
        int events = 50;
        open(ForeignTrace.spanning(folder.resolve("other"), begin, 100_000_000, events));
        BabeltraceTrace other = opened(events);
        Ui.settle();
        select(begin + 200_000_000, begin + 300_000_000);
        Range expected = RealSession.time(session, new TmfTimeRange(TmfTimestamp.fromNanos(begin + 200_000_000),
                TmfTimestamp.fromNanos(begin + 300_000_000)));
        Ui.await("the session's views have it", () -> SelectionService.get().selection().time().equals(Optional.of(expected)));
        long after = session.getEndTime().toNanos() + 1_000_000_000;
        select(after, after + 1_000_000);
        Ui.settle();
        assertThat(Ui.get(() -> SelectionService.get().selection().time())).as("the session ended before").contains(expected);
        Range ours = RealSession.time(session, new TmfTimeRange(TmfTimestamp.fromNanos(begin + 400_000_000),
                TmfTimestamp.fromNanos(begin + 500_000_000)));
        Ui.run(() -> SelectionService.get().selectTime(Optional.of(ours)));
        Ui.await("the other trace has it", () -> TmfTraceManager.getInstance().getTraceContext(other).getSelectionRange().getStartTime()
                .toNanos() == begin + 400_000_000);
        Ui.get(SessionController::get).close().join();
        Ui.settle();
        assertThat(TmfTraceManager.getInstance().getOpenedTraces()).containsExactly(other);
        assertThat(Ui.get(() -> Ui.page().isPartVisible(Ui.page().findView(KviewUi.VIEW_TRACE_HISTOGRAM)))).as("it has times still").isTrue();
    }

    private void select(long begin, long end) {
        Ui.run(() -> TmfSignalManager.dispatchSignal(new TmfSelectionRangeUpdatedSignal(this, TmfTimestamp.fromNanos(begin),
                TmfTimestamp.fromNanos(end), active())));
    }

    /** What is kept of a trace does not stay for ever. */
    @Test
    void whatIsKeptOfAClosedTraceGoesWithTheNextOne() throws Exception {
        open(ForeignTrace.many(folder.resolve("one"), 10));
        BabeltraceTrace one = opened(10);
        Path kept = Path.of(TmfTraceManager.getSupplementaryFileDir(one));
        assertThat(kept).isNotEmptyDirectory();
        Ui.run(() -> Ui.page().closeAllEditors(false));
        Ui.await("it is closed", () -> TmfTraceManager.getInstance().getOpenedTraces().isEmpty());
        open(ForeignTrace.many(folder.resolve("two"), 20));
        opened(20);
        assertThat(kept).doesNotExist();
    }

    private static void closeTraces() throws InterruptedException {
        Ui.run(() -> Ui.page().closeAllEditors(false));
        Ui.await("it is closed", () -> TmfTraceManager.getInstance().getOpenedTraces().isEmpty());
    }

    private static void openAndCount(Path trace, int events) throws InterruptedException {
        open(trace);
        Ui.await(events + " events", () -> active() != null && active().getNbEvents() == events);
        TmfStatisticsModule statistics = TmfTraceUtils.getAnalysisModuleOfClass(active(), TmfStatisticsModule.class, TmfStatisticsModule.ID);
        statistics.schedule();
        statistics.waitForCompletion();
        assertThat(statistics.getStatistics().getEventsTotal()).isEqualTo(events);
    }

    /** What was counted of the former one is not told of it, be it shorter, longer, or read by another reader. */
    @Test
    void anotherTraceAtTheSamePathIsReadAnew() throws Exception {
        Path trace = folder.resolve("trace");
        openAndCount(ForeignTrace.plain(trace, 3000), 3000);
        closeTraces();
        openAndCount(ForeignTrace.plain(trace, 5000), 5000);
        closeTraces();
        openAndCount(ForeignTrace.plain(trace, 10), 10);
        closeTraces();
        openAndCount(ForeignTrace.many(trace, 20), 20);
        assertThat(active()).isInstanceOf(BabeltraceTrace.class);
    }

    /** The last link of a series of traces is such a path. */
    @Test
    void anotherTraceBehindALinkIsReadAnew() throws Exception {
        Path real = folder.resolve("real");
        Path link = folder.resolve("latest");
        ForeignTrace.plain(real, 3000);
        Files.createSymbolicLink(link, real);
        openAndCount(link, 3000);
        closeTraces();
        ForeignTrace.plain(real, 10);
        openAndCount(link, 10);
        closeTraces();
        Files.delete(link);
        Files.createSymbolicLink(link, ForeignTrace.plain(folder.resolve("other"), 20));
        openAndCount(link, 20);
    }

    @Test
    void aTraceThatHasChangedWhileItIsOpenIsSaidToHave() throws Exception {
        Path trace = folder.resolve("trace");
        openAndCount(ForeignTrace.plain(trace, 20), 20);
        ForeignTrace.plain(trace, 30);
        open(trace);
        assertThat(refusal()).contains("The trace in " + trace + " has changed since it was opened; close it, and open it again.");
        closeTraces();
        openAndCount(trace, 30);
    }
}
