// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignalManager;
import org.eclipse.tracecompass.tmf.core.signal.TmfTraceUpdatedSignal;
import org.eclipse.tracecompass.tmf.core.timestamp.ITmfTimestamp;
import org.eclipse.tracecompass.tmf.core.trace.TmfTrace;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.eclipse.ui.IMemento;
import org.eclipse.ui.XMLMemento;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.Bookmark;
import org.kview.model.ProbedFunction;
import org.kview.session.Progress;
import org.kview.session.library.SessionStore;
import org.kview.trace.KviewTrace;
import org.kview.ui.Figures;
import org.kview.ui.KviewUi;
import org.kview.ui.SessionFixture;
import org.kview.ui.Ui;
import org.kview.ui.functions.FunctionsView;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;

class SessionMemoryTest {
    private static final String STATISTICS = "org.eclipse.linuxtools.tmf.ui.views.statistics";
    private static final Bookmark.Range RANGE = new Bookmark.Range(1002, 1005);

    @TempDir
    Path folder;

    @AfterEach
    void close() throws InterruptedException {
        Ui.get(SessionController::get).close().join();
        Ui.settle();
        Ui.run(() -> {
            FunctionsView functions = (FunctionsView) Ui.page().findView(FunctionsView.ID);
            functions.restoreSession(XMLMemento.createWriteRoot("none"));
            Optional.ofNullable(Ui.page().findView(STATISTICS)).ifPresent(Ui.page()::hideView);
        });
    }

    private static void open(Path session) throws InterruptedException {
        Ui.get(SessionController::get).open(session).join();
        Ui.await("it is open", () -> SessionService.get().state() instanceof SessionState.Opened(Path p, var _)
                && p.equals(session));
        // The memory is read by a job, and then the views are brought back.
        Ui.settle();
        Ui.await("what was open is read", () -> Stream.of(Job.getJobManager().find(null)).noneMatch(job -> job.getName().equals("Read what was open")));
        Ui.settle();
    }

    private static FunctionsView functions() {
        return Ui.view(FunctionsView.ID, FunctionsView.class);
    }

    private static List<String> selected() {
        return Ui.get(() -> {
            List<String> names = new ArrayList<>();
            ((IStructuredSelection) Ui.page().getSelection(KviewUi.VIEW_FUNCTIONS)).forEach(f ->
                    names.add(((ProbedFunction) f).name()));
            return names;
        });
    }

    private static IMemento saved(RemembersSession view) {
        return Ui.get(() -> {
            XMLMemento memento = XMLMemento.createWriteRoot("test");
            view.saveSession(memento);
            return memento;
        });
    }

    private static String listing(Path session) throws IOException {
        try (Stream<Path> files = Files.walk(session)) {
            StringBuilder text = new StringBuilder();
            for (Path file : files.sorted().toList()) {
                text.append(file).append(' ').append(Files.getLastModifiedTime(file)).append('\n');
            }
            return text.toString();
        }
    }

    @Test
    void whatWasOpenComesBackWithTheSessionAlsoUnderAnotherName() throws Exception {
        Path shop = SessionFixture.write(folder.resolve("shop.kview"), true);
        String before = listing(shop);
        open(shop);
        awaitRead();
        FunctionsView functions = functions();
        Ui.run(() -> {
            functions.select(new Bookmark.Function("flush_cache", "/srv/shop/checkout"));
            TraceTime.select(RANGE);
        });
        Ui.get(() -> Ui.page().showView(STATISTICS));
        Ui.await("the time is selected", () -> TraceTime.selection().equals(Optional.of(RANGE)));
        IMemento was = saved(functions);
        assertThat(was.getChildren("selected")).hasSize(1);

        Ui.get(SessionController::get).close().join();
        Ui.settle();
        Ui.run(() -> Ui.page().hideView(Ui.page().findView(STATISTICS)));
        Ui.run(() -> functions.restoreSession(other()));
        assertThat(listing(shop)).isEqualTo(before);

        Path renamed = SessionStore.rename(shop, "renamed");
        open(SessionStore.zip(renamed, Progress.NONE));
        Ui.await("the function is selected", () -> selected().equals(List.of("flush_cache")));
        Ui.await("the view is back", () -> Ui.page().findView(STATISTICS) != null);
        Ui.await("the time is selected", () -> TraceTime.selection().equals(Optional.of(RANGE)));
        assertThat(saved(functions).getString("filter")).isEqualTo(was.getString("filter"));
        assertThat(saved(functions).getString("sort")).isEqualTo(was.getString("sort"));
    }

    /** As a trace closes by itself, some time after its session did. */
    @Test
    void theTimeOfTheNextSessionIsNotBroughtToTheTraceOfTheOneBefore() throws Exception {
        open(SessionFixture.write(folder.resolve("shop.kview"), true));
        Ui.await("its trace is open", () -> TraceTime.selection().isPresent());
        TimeRanges times = new TimeRanges();
        try {
            // Not what the workbench itself brings back with this session.
            var next = new Bookmark.Range(1003, 1004);
            Ui.run(times::clear);
            Ui.run(() -> times.restore(wanted(next)));
            Ui.settle();
            assertThat(Ui.get(TraceTime::selection)).isPresent().isNotEqualTo(Optional.of(next));
            IMemento saved = XMLMemento.createWriteRoot("saved");
            times.save(saved);
            assertThat(saved.getChild("selection").getString("begin")).as("it is still wanted").isEqualTo("1003");
        } finally {
            times.dispose();
        }
    }

    /** As a long trace is: Trace Compass takes no time beyond what it has read. */
    @Test
    void theTimeComesBackOnceTheTraceIsReadSoFar() throws Exception {
        TmfTrace trace = openRead();
        ITmfTimestamp end = trace.getEndTime();
        var later = new Bookmark.Range(1004, 1005);
        TimeRanges times = new TimeRanges();
        try {
            // A view that still reads events moves the end again: then that the time came says nothing.
            do {
                Ui.run(() -> TraceTime.select(new Bookmark.Range(1002, 1003)));
                setEnd(trace, trace.getStartTime());
                Ui.run(() -> times.restore(wanted(later)));
                Ui.settle();
            } while (TraceTime.selection().equals(Optional.of(later)) && trace.getEndTime().compareTo(trace.getStartTime()) > 0);
            assertThat(Ui.get(TraceTime::selection)).isPresent().isNotEqualTo(Optional.of(later));
            setEnd(trace, end);
            readOn(trace);
            Ui.settle();
            assertThat(Ui.get(TraceTime::selection)).isEqualTo(Optional.of(later));
        } finally {
            times.dispose();
            setEnd(trace, end);
        }
    }

    @Test
    void whatTheUserSelectsWhileTheTraceIsReadStays() throws Exception {
        TmfTrace trace = openRead();
        ITmfTimestamp end = trace.getEndTime();
        var chosen = new Bookmark.Range(1002, 1003);
        TimeRanges times = new TimeRanges();
        try {
            setEnd(trace, trace.getStartTime());
            Ui.run(() -> times.restore(wanted(new Bookmark.Range(1004, 1005))));
            Ui.settle();
            setEnd(trace, end);
            Ui.run(() -> TraceTime.select(chosen));
            readOn(trace);
            Ui.settle();
            assertThat(Ui.get(TraceTime::selection)).isEqualTo(Optional.of(chosen));
        } finally {
            times.dispose();
            setEnd(trace, end);
        }
    }

    /** What the workbench itself still wants of this session has come by then. */
    private TmfTrace openRead() throws Exception {
        open(SessionFixture.write(folder.resolve("shop.kview"), true));
        awaitRead();
        TmfTrace trace = (TmfTrace) TmfTraceManager.getInstance().getActiveTrace();
        readOn(trace);
        Ui.settle();
        return trace;
    }

    private static XMLMemento wanted(Bookmark.Range selection) {
        XMLMemento wanted = XMLMemento.createWriteRoot(MemoryStore.ROOT);
        IMemento range = wanted.createChild("selection");
        range.putString("begin", Long.toString(selection.beginNanos()));
        range.putString("end", Long.toString(selection.endNanos()));
        return wanted;
    }

    private static void readOn(TmfTrace trace) {
        TmfSignalManager.dispatchSignal(new TmfTraceUpdatedSignal(SessionMemoryTest.class, trace, trace.getTimeRange(), trace.getNbEvents()));
    }

    /** Trace Compass does so as it reads the trace. */
    private static void setEnd(TmfTrace trace, ITmfTimestamp end) throws ReflectiveOperationException {
        Method method = TmfTrace.class.getDeclaredMethod("setEndTime", ITmfTimestamp.class);
        method.setAccessible(true);
        method.invoke(trace, end);
    }

    /** Trace Compass and the figures' listeners are told in no order. */
    @Test
    void theTimeComesBackWhereTheTraceWasOpenFirst() throws Exception {
        Path shop = SessionFixture.write(folder.resolve("shop.kview"), true);
        open(shop);
        awaitRead();
        Ui.settle();
        SessionState opened = SessionService.get().state();
        var later = new Bookmark.Range(1003, 1005);
        MemoryStore store = new MemoryStore(folder.resolve("memory"));
        store.save(MemoryStore.key(opened.snapshot().orElseThrow().info()), MemoryStore.print(wanted(later)));
        SessionMemory memory = Ui.get(() -> new SessionMemory(Ui.page().getWorkbenchWindow(), store));
        Ui.run(() -> memory.sessionChanged(opened));
        Ui.await("the time is selected", () -> TraceTime.selection().equals(Optional.of(later)));
        Ui.run(() -> memory.sessionChanged(new SessionState.None()));
    }

    private static void awaitRead() throws InterruptedException {
        Ui.await("its trace is open and read", () -> TmfTraceManager.getInstance().getActiveTrace() instanceof KviewTrace trace
                && trace.getEndTime().toNanos() >= RANGE.endNanos());
    }

    private static IMemento other() {
        XMLMemento memento = XMLMemento.createWriteRoot("other");
        memento.putString("filter", "price");
        memento.putString("sort", "NAME");
        return memento;
    }

    @Test
    void whatIsKeptIsKeptPerRecordingAndTheOldestAreForgotten() throws Exception {
        MemoryStore store = new MemoryStore(folder.resolve("memory"));
        String key = MemoryStore.key(Figures.info(org.kview.model.SessionInfo.State.STOPPED));
        assertThat(key).isEqualTo(MemoryStore.key(Figures.info(org.kview.model.SessionInfo.State.FAILED)));
        assertThat(store.load(key)).isEmpty();
        XMLMemento memento = XMLMemento.createWriteRoot(MemoryStore.ROOT);
        memento.putString("filter", "a < \"b\" & 'ü'");
        store.save(key, MemoryStore.print(memento));
        assertThat(Files.getPosixFilePermissions(folder.resolve("memory").resolve(key + ".xml")))
                .isEqualTo(java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
        assertThat(store.load(key).orElseThrow().getString("filter")).isEqualTo("a < \"b\" & 'ü'");
        for (int i = 0; i < MemoryStore.AT_MOST + 5; i++) {
            Files.writeString(folder.resolve("memory").resolve("old" + i + ".xml"), "<session/>");
            Files.setLastModifiedTime(folder.resolve("memory").resolve("old" + i + ".xml"),
                    java.nio.file.attribute.FileTime.fromMillis(1000L * i));
        }
        store.save(key, MemoryStore.print(memento));
        assertThat(store.load(key)).isPresent();
        assertThat(folder.resolve("memory/old5.xml")).doesNotExist();
        assertThat(folder.resolve("memory/old6.xml")).exists();
        Files.writeString(folder.resolve("memory").resolve(key + ".xml"), "<no");
        assertThat(store.load(key)).isEmpty();
    }
}
