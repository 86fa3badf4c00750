// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IWorkbenchWindow;
import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.commands.ICommandService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.SessionInfo;
import org.kview.session.read.SessionReader;
import org.kview.ui.Dialogs;
import org.kview.ui.SessionFixture;
import org.kview.ui.Ui;
import org.kview.ui.record.FakeHost;

/** Another session is looked at while a recording runs. */
class LookAsideTest {
    @TempDir
    Path folder;

    private final FakeHost host = new FakeHost();
    private final SessionController controller = Ui.get(SessionController::get);
    private Path recorded;
    private Path other;

    @BeforeEach
    void recordAndLookAside() throws Exception {
        other = SessionFixture.write(Files.createDirectory(folder.resolve("earlier")), true);
        recorded = folder.resolve("shop.kview");
        RecordingFixture.record(host, recorded);
        lookAside();
    }

    @AfterEach
    void close() throws InterruptedException {
        RecordingFixture.stopAndClose();
        Ui.settle();
    }

    private void lookAside() throws InterruptedException {
        controller.open(other).join();
        Ui.await("the other is open", this::isOtherShown);
    }

    private boolean isOtherShown() {
        return controller.state() instanceof SessionState.Opened(Path shown, var _) && shown.equals(other);
    }

    private static boolean isEnabled(String command) {
        return Ui.get(() -> PlatformUI.getWorkbench().getService(ICommandService.class)
                .getCommand("org.kview.ui.command." + command).isEnabled());
    }

    @Test
    void theRecordingGoesOnAndIsComeBackTo() throws Exception {
        Ui.await("Stop is for the recording", () -> isEnabled("stop"));
        assertThat(isEnabled("open")).isTrue();
        assertThat(isEnabled("record")).as("one recording at a time").isFalse();
        Ui.run(() -> controller.close());
        Ui.await("the recording is shown", () -> controller.state() instanceof SessionState.Recording);
        lookAside();
        controller.open(recorded).join();
        assertThat(controller.state()).as("its own session").isInstanceOf(SessionState.Recording.class);
    }

    @Test
    void whatIsLookedAtStaysWhenTheRecordingEnds() throws Exception {
        RecordingFixture.stop();
        Ui.settle();
        assertThat(isOtherShown()).isTrue();
        try (SessionReader reader = SessionReader.open(recorded)) {
            assertThat(reader.snapshot().info().state()).isEqualTo(SessionInfo.State.STOPPED);
        }
        Ui.await("another recording may begin", () -> isEnabled("record"));
        assertThat(isEnabled("stop")).isFalse();
    }

    @Test
    void aWorkbenchThatIsClosedMeanwhileStopsTheRecording() throws Exception {
        CompletableFuture<?> ended = controller.stopAndLeave().orElseThrow();
        Ui.await("the recording ends", ended::isDone);
        controller.stay();
        Ui.settle();
        assertThat(isOtherShown()).isTrue();
    }

    @Test
    void theLastWishCounts() throws Exception {
        Job back = controller.close();
        Job again = controller.open(other);
        back.join();
        again.join();
        host.count(600, 0);
        Ui.settle();
        Ui.await("figures have come", () -> Ui.get(SessionService::get).recording().orElseThrow().snapshot().orElseThrow()
                .functions().getFirst().calls() == 600);
        assertThat(isOtherShown()).isTrue();
        controller.open(other);
        controller.close().join();
        assertThat(controller.state()).isInstanceOf(SessionState.Recording.class);
    }

    /** What fails to open beside it says nothing of the recording. */
    @Test
    void theWorkbenchClosesWhenTheRecordingIsWellThoughAnotherSessionIsNot() throws Exception {
        controller.open(folder.resolve("none.kview")).join();
        Ui.await("it failed", () -> controller.state() instanceof SessionState.Failed);
        AtomicInteger closed = new AtomicInteger();
        IWorkbenchWindow window = Ui.get(() -> PlatformUI.getWorkbench().getWorkbenchWindows()[0]);
        var leave = new LeaveInOrder(controller, window::getShell, closed::incrementAndGet);
        Ui.run(() -> leave.preShutdown(window.getWorkbench(), false));
        Dialogs.press(Dialogs.await("Close the Workbench"), "Stop and Save");
        Ui.await("it closes", () -> closed.get() == 1);
    }

    @Test
    void aRecordingThatFailsIsToldAndWhatIsLookedAtStays() throws Exception {
        RecordingFixture.stop();
        recorded = folder.resolve("second.kview");
        host.refuse("The probes were refused.");
        CompletableFuture<Void> mayStart = host.holdStart();
        RecordingFixture.start(host, recorded);
        Ui.await("it attaches", () -> Ui.get(SessionService::get).recording().isPresent());
        lookAside();
        mayStart.complete(null);
        Shell told = Dialogs.await("Record");
        assertThat(Dialogs.text(told)).contains("The recording of second failed.", "The probes were refused.");
        Dialogs.press(told, "OK");
        Ui.await("the recording ends", () -> controller.recordedSession().isEmpty());
        Ui.settle();
        assertThat(isOtherShown()).isTrue();
    }
}
