// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.NullProgressMonitor;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.IJobChangeListener;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.swt.widgets.ToolBar;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.eclipse.tracecompass.tmf.ui.project.model.TmfOpenTraceHelper;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.trace.KviewTrace;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.SessionFixture;
import org.kview.ui.Ui;

class SessionOpeningTest {
    /** Its height and the menu's, in pixels. */
    private static final int TOOLBAR = 70;

    @TempDir
    Path folder;

    @AfterEach
    void close() throws InterruptedException {
        SessionController controller = Ui.get(SessionController::get);
        controller.close().join();
        Ui.settle();
    }

    private SessionState open(Path session) throws InterruptedException {
        SessionController controller = Ui.get(SessionController::get);
        controller.open(session).join();
        Ui.settle();
        return Ui.get(() -> SessionService.get().state());
    }

    /** Names that a file system takes and a workspace, a URL or a menu might not. */
    @ParameterizedTest
    @ValueSource(strings = {"shop", "a b%20c", "50% of #1; rm -rf ~ & 'x' \"y\"", "..hidden..", "Größe 测试", "C:\\temp",
        "trace", "tab\there"})
    void aSessionOpensWithItsTraceWhateverItsName(String name) throws Exception {
        Path session = SessionFixture.write(folder.resolve(name + ".kview"), true);
        assertThat(open(session)).isInstanceOfSatisfying(SessionState.Opened.class, state -> {
            assertThat(state.figures().functions()).hasSize(6);
            assertThat(state.figures().problems()).isEmpty();
        });
        Ui.await("the trace opens", () -> trace().isPresent());
        KviewTrace trace = trace().orElseThrow();
        Ui.await("all events are read", () -> trace.getNbEvents() == SessionFixture.EVENTS);
    }

    @Test
    void theEventsStayInSightWhenThePerspectiveIsReset() throws Exception {
        open(SessionFixture.write(folder.resolve("shop.kview"), true));
        Ui.await("the trace opens", () -> trace().isPresent() && Ui.page().isEditorAreaVisible());
        Ui.settle();
        Set<String> buttons = Ui.get(SessionOpeningTest::buttons);
        assertThat(buttons).isNotEmpty();
        Ui.run(() -> Ui.page().resetPerspective());
        Ui.settle();
        assertThat(Ui.get(() -> Ui.page().isEditorAreaVisible())).isTrue();
        assertThat(Ui.get(() -> Ui.page().getEditorReferences())).isNotEmpty();
        assertThat(Ui.get(() -> Ui.page().isPartVisible(Ui.page().findView(KviewUi.VIEW_TRACE_HISTOGRAM)))).isTrue();
        Ui.await("the toolbar is as it was: " + buttons, () -> buttons().equals(buttons));
        assertThat(trace()).as("its editor did not end meanwhile").isPresent();
        close();
        Ui.await("its editor is closed", () -> Ui.page().getEditorReferences().length == 0);
        Ui.await("its place is the views'", () -> !Ui.page().isEditorAreaVisible());
    }

    /** What the window's toolbar offers. */
    private static Set<String> buttons() {
        return Dialogs.all(Ui.page().getWorkbenchWindow().getShell(), ToolBar.class).stream().filter(ToolBar::isVisible)
                .filter(bar -> bar.toDisplay(0, 0).y < Ui.page().getWorkbenchWindow().getShell().toDisplay(0, 0).y + TOOLBAR)
                .flatMap(bar -> Stream.of(bar.getItems())).map(item -> item.getText() + " " + item.getToolTipText())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Optional<KviewTrace> trace() {
        ITmfTrace active = TmfTraceManager.getInstance().getActiveTrace();
        return active instanceof KviewTrace trace ? Optional.of(trace) : Optional.empty();
    }

    @Test
    void openingIsCancelledWhileTheSessionIsRead() throws Exception {
        Path session = SessionFixture.write(folder.resolve("shop.kview"), true);
        IJobChangeListener cancelling = new JobChangeAdapter() {
            @Override
            public void running(IJobChangeEvent event) {
                if (event.getJob().getName().equals("Open shop.kview")) {
                    event.getJob().cancel();
                }
            }
        };
        Job.getJobManager().addJobChangeListener(cancelling);
        try {
            assertThat(open(session)).isInstanceOf(SessionState.None.class);
        } finally {
            Job.getJobManager().removeJobChangeListener(cancelling);
        }
        assertThat(open(session)).isInstanceOf(SessionState.Opened.class);
    }

    @Test
    void openingIsCancelledBeforeItBegins() throws Exception {
        Path session = SessionFixture.write(folder.resolve("shop.kview"), false);
        Job.getJobManager().suspend();
        try {
            assertThat(Ui.get(SessionController::get).open(session).cancel()).isTrue();
        } finally {
            Job.getJobManager().resume();
        }
        Ui.settle();
        assertThat(Ui.get(() -> SessionService.get().state())).isInstanceOf(SessionState.None.class);
    }

    /** Trace Compass opens a trace in a job of its own: here that one begins only when the session is being closed. */
    @Test
    void closingWaitsForATraceThatIsJustBeingOpened() throws Exception {
        Path session = SessionFixture.write(folder.resolve("shop.kview"), true);
        NullProgressMonitor monitor = new NullProgressMonitor();
        CompletableFuture<Void> cleared = new CompletableFuture<>();
        IJobChangeListener closing = new JobChangeAdapter() {
            @Override
            public void aboutToRun(IJobChangeEvent event) {
                if (event.getJob() instanceof TmfOpenTraceHelper.OpenProjectElementJob) {
                    cleared.completeAsync(() -> {
                        try {
                            TraceProject.clear(PlatformUI.getWorkbench().getDisplay(), monitor);
                            return null;
                        } catch (CoreException e) {
                            throw new IllegalStateException(e);
                        }
                    });
                    try {
                        // One that does not wait is over by then.
                        cleared.get(2, TimeUnit.SECONDS);
                    } catch (TimeoutException | InterruptedException | ExecutionException e) {
                        // It waits, as it should; how it ends is asked below.
                    }
                }
            }
        };
        Job.getJobManager().addJobChangeListener(closing);
        try {
            TraceProject.open(PlatformUI.getWorkbench().getDisplay(), Map.of("shop", session.resolve("trace")), monitor);
            Ui.await("it is closed", Duration.ofMinutes(3), cleared::isDone);
        } finally {
            Job.getJobManager().removeJobChangeListener(closing);
        }
        cleared.join();
        Ui.await("nothing is being opened", () -> Stream.of(Job.getJobManager().find(null))
                .noneMatch(TmfOpenTraceHelper.OpenProjectElementJob.class::isInstance));
        assertThat(Ui.get(() -> Dialogs.find("ResourceException").map(Dialogs::text))).isEmpty();
        assertThat(Ui.get(() -> Ui.page().getEditorReferences())).isEmpty();
    }

    @Test
    void closingClosesTheTraceAndTouchesNoFile() throws Exception {
        Path session = SessionFixture.write(folder.resolve("shop.kview"), true);
        String before = listing(session);
        open(session);
        Ui.await("the trace opens", () -> trace().isPresent());
        close();
        Ui.await("the trace closes", () -> TmfTraceManager.getInstance().getActiveTrace() == null);
        Ui.await("its editor is closed", () -> Ui.page().getEditorReferences().length == 0);
        assertThat(listing(session)).isEqualTo(before);
    }

    private static String listing(Path session) throws IOException {
        try (Stream<Path> files = Files.walk(session)) {
            StringBuilder text = new StringBuilder();
            for (Path file : files.sorted().toList()) {
                text.append(file).append(Files.isRegularFile(file) ? " " + Files.size(file) : "").append('\n');
            }
            return text.toString();
        }
    }

    @Test
    void withoutEventsThereIsNoTraceAndNoComplaint() throws Exception {
        SessionState state = open(SessionFixture.write(folder.resolve("plain.kview"), false));
        assertThat(state).isInstanceOfSatisfying(SessionState.Opened.class,
                opened -> assertThat(opened.figures().problems()).isEmpty());
        assertThat(trace()).isEmpty();
    }

    @Test
    void aDamagedPartIsNamedAndTheRestOpens() throws Exception {
        Path session = SessionFixture.write(folder.resolve("damaged.kview"), true);
        Files.writeString(session.resolve("trace").resolve("metadata"), "/* CTF 1.8 */ nonsense {");
        assertThat(open(session)).isInstanceOfSatisfying(SessionState.Opened.class, opened -> {
            assertThat(opened.figures().functions()).hasSize(6);
            assertThat(opened.figures().problems()).singleElement().asString().contains("trace");
        });
    }

    @Test
    void movedAwayByAnotherProgramItsFiguresStayAndTheUserIsTold() throws Exception {
        Path session = SessionFixture.write(folder.resolve("shop.kview"), false);
        open(session);
        Files.move(session, folder.resolve("elsewhere.kview"));
        Ui.await("it is said", () -> SessionService.get().state() instanceof SessionState.Opened(var _, var figures)
                && figures.functions().size() == 6
                && figures.problems().toString().contains("shop.kview was moved or removed by another program"));
    }

    @Test
    void whatIsNoSessionIsSaidInOneSentence() throws Exception {
        assertThat(open(Files.createDirectory(folder.resolve("empty.kview"))))
                .isInstanceOfSatisfying(SessionState.Failed.class, failed -> assertThat(failed.message())
                        .contains("empty.kview").doesNotContain("Exception"));
    }

    @ParameterizedTest
    @CsvSource({"checkout,checkout", "a/b,a_b", "..,session", "'   ',session", "'a\tb',a_b", "x:y,x_y"})
    void aLinksNameIsOneAWorkspaceTakes(String name, String link) {
        assertThat(TraceProject.linkName(name)).isEqualTo(link);
    }
}
