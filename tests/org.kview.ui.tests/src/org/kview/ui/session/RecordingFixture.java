// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.kview.model.ProbeSpec;
import org.kview.recording.RecordingOptions;
import org.kview.recording.RecordingRequest;
import org.kview.recording.ScopeSpec;
import org.kview.targets.registry.TargetConnection;
import org.kview.ui.Ui;
import org.kview.ui.record.FakeHost;
import org.kview.ui.record.Recordings;

/** A recording of the workbench, from its begin to its end. */
public final class RecordingFixture {
    private static final Duration LONG = Duration.ofMinutes(3);

    private RecordingFixture() {
    }

    /** Begins to record the shop of a {@link FakeHost}, and does not wait. */
    static void start(FakeHost host, Path session) {
        start(FakeHost.connection(host), session);
    }

    /** Likewise, over this connection. */
    private static void start(TargetConnection target, Path session) {
        Ui.run(() -> Recordings.start(target, new ScopeSpec.Named("checkout"), new RecordingRequest(
                List.of(ProbeSpec.parse("checkout:price_basket").orElseThrow()), List.of(), session,
                RecordingOptions.DEFAULT)));
    }

    /** Records the shop of a {@link FakeHost}. */
    static void record(FakeHost host, Path session) throws InterruptedException {
        record(FakeHost.connection(host), session);
    }

    /** Likewise, over this connection. */
    public static void record(TargetConnection target, Path session) throws InterruptedException {
        start(target, session);
        Ui.await("it records", () -> controller().state() instanceof SessionState.Recording);
    }

    /** Stops the recording that runs, if one does. */
    static void stop() throws InterruptedException {
        controller().stopRecording();
        Ui.await("the recording ends", LONG, () -> controller().recordedSession().isEmpty());
    }

    /** Likewise; closes the session that is open then. */
    public static void stopAndClose() throws InterruptedException {
        stop();
        controller().close().join();
    }

    private static SessionController controller() {
        return Ui.get(SessionController::get);
    }
}
