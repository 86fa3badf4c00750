// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.eclipse.ui.PlatformUI;
import org.eclipse.ui.commands.ICommandService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.ProbeSpec;
import org.kview.model.SessionInfo;
import org.kview.recording.RecordingOptions;
import org.kview.recording.RecordingRequest;
import org.kview.recording.ScopeSpec;
import org.kview.session.read.SessionReader;
import org.kview.ui.SessionFixture;
import org.kview.ui.Ui;
import org.kview.ui.record.FakeHost;
import org.kview.ui.record.Recordings;

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
        Ui.run(() -> Recordings.start(FakeHost.connection(host), new ScopeSpec.Named("checkout"), new RecordingRequest(
                List.of(ProbeSpec.parse("checkout:price_basket").orElseThrow()), List.of(), recorded,
                RecordingOptions.DEFAULT)));
        Ui.await("it records", () -> controller.state() instanceof SessionState.Recording);
        lookAside();
    }

    @AfterEach
    void close() throws InterruptedException {
        controller.stopRecording();
        Ui.await("the recording ends", () -> controller.recordedSession().isEmpty());
        controller.close().join();
        Ui.settle();
    }

    private void lookAside() throws InterruptedException {
        controller.open(other).join();
        Ui.await("the other is open", () -> controller.state() instanceof SessionState.Opened(Path shown, var _)
                && shown.equals(other));
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
        controller.stopRecording();
        Ui.await("the recording ends", () -> controller.recordedSession().isEmpty());
        Ui.settle();
        assertThat(controller.state()).isInstanceOfSatisfying(SessionState.Opened.class,
                shown -> assertThat(shown.session()).isEqualTo(other));
        try (SessionReader reader = SessionReader.open(recorded)) {
            assertThat(reader.snapshot().info().state()).isEqualTo(SessionInfo.State.STOPPED);
        }
        Ui.await("another recording may begin", () -> isEnabled("record"));
        assertThat(isEnabled("stop")).isFalse();
    }

    @Test
    void aWorkbenchThatIsClosedMeanwhileStopsTheRecording() throws Exception {
        CompletableFuture<Void> ended = controller.stopAndLeave().orElseThrow();
        Ui.await("the recording ends", ended::isDone);
        controller.stay();
        Ui.settle();
        assertThat(controller.state()).isInstanceOfSatisfying(SessionState.Opened.class,
                shown -> assertThat(shown.session()).isEqualTo(other));
    }
}
