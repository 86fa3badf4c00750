// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.eclipse.core.runtime.jobs.Job;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.Budget;
import org.kview.model.ProbeSpec;
import org.kview.recording.RecordingOptions;
import org.kview.recording.RecordingRequest;
import org.kview.recording.ScopeSpec;
import org.kview.targets.values.LaunchSpec;
import org.kview.ui.RealHost;
import org.kview.ui.Ui;
import org.kview.ui.calls.CallsService;
import org.kview.ui.calls.CallsState;
import org.kview.ui.record.Recordings;
import org.kview.ui.session.RecordingFixture;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.targets.TargetService;

/** A real recording, whose calls are shown while it goes on. */
class LiveCallsTest {
    private static final Duration LONG = Duration.ofMinutes(3);

    @TempDir
    Path folder;

    @AfterEach
    void stop() throws Exception {
        RecordingFixture.stopAndClose();
        for (Job job : Job.getJobManager().find(null)) {
            if (job.getName().startsWith("Program ")) {
                job.cancel();
            }
        }
        Ui.settle();
    }

    private static long shown(LatencyView view) {
        return view.canvas().scene().summary().map(summary -> summary.shown().count()).orElse(0L);
    }

    @Test
    void thePictureGrowsWhileItIsRecordedAndHasAllCallsInTheEnd() throws Exception {
        RealHost.assumeRecords();
        LatencyView view = Ui.view(LatencyView.ID, LatencyView.class);
        Recordings.start(TargetService.get().local().orElseThrow(), new ScopeSpec.Launch(new LaunchSpec(
                List.of(RealHost.workload("kview-calls").toString(), "--rate", "1000", "--seconds", "300"), Map.of(), "")),
                new RecordingRequest(List.of(new ProbeSpec("kview-calls", "counted_call")), List.of(), folder.resolve("live.kview"),
                        new RecordingOptions.Builder().events(true).budget(Budget.NONE).build()));
        Ui.await("its calls are shown", LONG, () -> shown(view) > 500);
        assertThat(Ui.get(() -> SessionService.get().state())).isInstanceOf(SessionState.Recording.class);
        assertThat(Ui.get(view::soFar)).startsWith("Calls until ").endsWith("the recording goes on.");
        Object followed = stores("live-*").getFirst();
        long first = Ui.get(() -> shown(view));
        Ui.await("more of them are shown", LONG, () -> shown(view) > first + 1000);
        Ui.get(SessionController::get).stopRecording();
        Ui.await("all are at hand", LONG, () -> CallsService.get().state() instanceof CallsState.Stored);
        long calls = Ui.get(() -> SessionService.get().state().snapshot()).orElseThrow().functions().getFirst().wall().count();
        Ui.await("all are shown", LONG, () -> view.isAnswered() && shown(view) == calls);
        assertThat(Ui.get(view::soFar)).isEmpty();
        assertThat(stores("*.calls")).as("what was stored while it was recorded is the session's store").contains(followed);
    }

    /** Which files there are, whatever they are called by now. */
    private static List<Object> stores(String name) throws IOException {
        List<Object> keys = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of(System.getenv("XDG_CACHE_HOME"), "kview-workbench/calls"), name)) {
            for (Path file : files) {
                keys.add(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
            }
        }
        return keys;
    }
}
