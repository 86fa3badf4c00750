// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.SessionInfo;
import org.kview.session.read.SessionReader;
import org.kview.ui.Dialogs;
import org.kview.ui.Ui;
import org.kview.ui.record.FakeHost;

class LeaveInOrderTest {
    private static final String QUESTION = "Close the Workbench";
    private static final String ENDING = "Stopping the Recording";

    @TempDir
    Path folder;

    private final FakeHost host = new FakeHost();
    private final AtomicInteger closed = new AtomicInteger();
    private final IWorkbenchWindow window = Ui.get(() -> PlatformUI.getWorkbench().getWorkbenchWindows()[0]);
    private final SessionController controller = Ui.get(SessionController::get);
    /** The workbench itself must not close under the tests. */
    private final LeaveInOrder leave = new LeaveInOrder(controller, window::getShell, closed::incrementAndGet);

    @AfterEach
    void close() throws InterruptedException {
        RecordingFixture.stopAndClose();
        Ui.settle();
    }

    private Path record() throws InterruptedException {
        Path session = folder.resolve("shop.kview");
        RecordingFixture.record(host, session);
        return session;
    }

    private boolean tryToClose() {
        return Ui.get(() -> leave.preShutdown(window.getWorkbench(), false));
    }

    private void assertWhole(Path session) throws Exception {
        try (SessionReader reader = SessionReader.open(session)) {
            assertThat(reader.snapshot().info().state()).isEqualTo(SessionInfo.State.STOPPED);
            assertThat(reader.snapshot().functions().getFirst().calls()).isEqualTo(500);
        }
        assertThat(host.awaitNoAgent()).as("no agent stays at the host").isTrue();
    }

    @Test
    void theWindowsCloseButtonAsksAndTheRecordingGoesOnWhenItIsCancelled() throws Exception {
        record();
        Shell shell = Ui.get(window::getShell);
        Ui.run(shell::close);
        Shell question = Dialogs.await(QUESTION);
        assertThat(Dialogs.text(question)).contains("shop is being recorded");
        Dialogs.press(question, "Cancel");
        Dialogs.awaitNone(QUESTION);
        Ui.settle();
        assertThat(Ui.get(shell::isDisposed)).isFalse();
        assertThat(controller.state()).isInstanceOf(SessionState.Recording.class);
        assertThat(Ui.get(() -> window.getWorkbench().close())).as("File > Exit").isFalse();
        Dialogs.press(Dialogs.await(QUESTION), "Cancel");
        Dialogs.awaitNone(QUESTION);
    }

    @Test
    void closesWhenTheRecordingIsStoppedAndSaved() throws Exception {
        Path session = record();
        CompletableFuture<Void> mayStop = host.holdStop();
        assertThat(tryToClose()).isFalse();
        Dialogs.press(Dialogs.await(QUESTION), "Stop and Save");
        Dialogs.await(ENDING);
        assertThat(tryToClose()).as("a second time while it ends").isFalse();
        Ui.settle();
        assertThat(Ui.get(() -> Dialogs.find(QUESTION))).as("what is answered is not asked again").isEmpty();
        assertThat(closed).hasValue(0);
        mayStop.complete(null);
        Dialogs.awaitNone(ENDING);
        Ui.await("it closes", () -> closed.get() == 1);
        assertWhole(session);
        assertThat(controller.state()).as("nothing is opened for nobody").isInstanceOf(SessionState.None.class);
        assertThat(tryToClose()).isTrue();
    }

    @Test
    void staysOpenIfOneWantsThatAfterAll() throws Exception {
        record();
        CompletableFuture<Void> mayStop = host.holdStop();
        tryToClose();
        Dialogs.press(Dialogs.await(QUESTION), "Stop and Save");
        Dialogs.press(Dialogs.await(ENDING), "Keep Open");
        Dialogs.awaitNone(ENDING);
        mayStop.complete(null);
        Ui.await("its session is opened", () -> controller.state() instanceof SessionState.Opened);
        assertThat(closed).hasValue(0);
    }

    /** The user's answer may come when the recording has just ended. */
    @Test
    void aRecordingThatHasEndedIsOpenedIfOneStays() throws Exception {
        Path session = record();
        CompletableFuture<?> ended = controller.stopAndLeave().orElseThrow();
        Ui.await("the recording ends", ended::isDone);
        assertThat(controller.state()).isInstanceOf(SessionState.None.class);
        controller.stay();
        Ui.await("its session is opened", () -> controller.state() instanceof SessionState.Opened(Path shown, var _)
                && shown.equals(session));
    }

    @Test
    void aRecordingThatEndsByItselfMeanwhileStopsNobody() throws Exception {
        record();
        tryToClose();
        Shell question = Dialogs.await(QUESTION);
        controller.stopRecording();
        Ui.await("its session is opened", () -> controller.state() instanceof SessionState.Opened);
        Dialogs.press(question, "Stop and Save");
        Ui.await("it closes", () -> closed.get() == 1);
    }

    @Test
    void whoMustCloseAtOnceIsNotAsked() throws Exception {
        Path session = record();
        assertThat(Ui.get(() -> leave.preShutdown(window.getWorkbench(), true))).isTrue();
        Ui.await("it ends", () -> controller.recordedSession().isEmpty());
        assertWhole(session);
        assertThat(Ui.get(() -> List.of(Display.getCurrent().getShells()).stream()
                .noneMatch(s -> s.isVisible() && s.getText().equals(QUESTION)))).isTrue();
    }

    @Test
    void theEndOfThisProgramWaitsForTheRecordings() throws Exception {
        Path session = record();
        controller.endAtExit().orElseThrow().hook().run();
        assertWhole(session);
    }
}
