// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.console.ConsolePlugin;
import org.eclipse.ui.console.IConsole;
import org.eclipse.ui.console.IOConsole;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.Budget;
import org.kview.model.ProbeSpec;
import org.kview.model.SessionInfo;
import org.kview.recording.RecordingOptions;
import org.kview.recording.RecordingRequest;
import org.kview.recording.ScopeSpec;
import org.kview.targets.values.LaunchSpec;
import org.kview.ui.RealHost;
import org.kview.ui.Ui;
import org.kview.ui.record.Recordings;
import org.kview.ui.session.RecordingFixture;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.targets.TargetService;

/** Programs that are started for a recording, by the real agent: their output, and their end. */
class StartedProgramTest {
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final String LIBC = "/lib/x86_64-linux-gnu/libc.so.6";

    @TempDir
    Path folder;

    @BeforeEach
    void check() throws Exception {
        removeConsoles();
        RealHost.assumeRecords();
    }

    @AfterEach
    void stop() throws Exception {
        RecordingFixture.stopAndClose();
        programJob().ifPresent(Job::cancel);
        Ui.await("no program is left", LONG, () -> programJob().isEmpty());
        removeConsoles();
        Ui.settle();
    }

    private static void removeConsoles() {
        var manager = ConsolePlugin.getDefault().getConsoleManager();
        manager.removeConsoles(manager.getConsoles());
    }

    private static List<IOConsole> consoles() {
        return Arrays.stream(ConsolePlugin.getDefault().getConsoleManager().getConsoles()).map(IOConsole.class::cast)
                .toList();
    }

    private static String shown() {
        return Ui.get(() -> consoles().isEmpty() ? "" : consoles().getLast().getDocument().get());
    }

    private static Optional<Job> programJob() {
        return Arrays.stream(Job.getJobManager().find(null)).filter(job -> job.getName().startsWith("Program "))
                .findFirst();
    }

    private void record(ProbeSpec probe, String... command) throws InterruptedException {
        Recordings.start(TargetService.get().local().orElseThrow(),
                new ScopeSpec.Launch(new LaunchSpec(List.of(command), Map.of(), "")), new RecordingRequest(List.of(probe), List.of(),
                folder.resolve("started.kview"), new RecordingOptions.Builder().budget(Budget.NONE).build()));
        // A short program may have ended before this thread looked again.
        Ui.await("it records", LONG, () -> SessionService.get().state() instanceof SessionState.Recording
                || SessionService.get().state() instanceof SessionState.Opened);
    }

    private static SessionInfo opened() throws InterruptedException {
        Ui.await("its session is open", LONG, () -> SessionService.get().state() instanceof SessionState.Opened);
        return SessionService.get().state().snapshot().orElseThrow().info();
    }

    private static boolean runs(SessionInfo info) {
        return ProcessHandle.of(info.pid()).filter(ProcessHandle::isAlive).isPresent();
    }

    private static ProbeSpec counted() {
        return new ProbeSpec("kview-calls", "counted_call");
    }

    @Test
    void itsOutputAndItsEndAreShown() throws Exception {
        record(counted(), RealHost.workload("kview-calls").toString(), "--rate", "1000", "--seconds", "2");
        assertThat(opened().state()).isEqualTo(SessionInfo.State.PROCESS_ENDED);
        Ui.await("all is shown", LONG, () -> shown().contains("{\"calls\":2000")
                && shown().contains("The program has ended."));
        assertThat(programJob()).isEmpty();
    }

    @Test
    void itGoesOnAfterItsRecordingUntilItsJobIsCancelled() throws Exception {
        record(counted(), RealHost.workload("kview-calls").toString(), "--rate", "1000", "--seconds", "300");
        Ui.get(SessionController::get).stopRecording();
        SessionInfo info = opened();
        Ui.await("it has a job of its own", LONG, () -> programJob().isPresent());
        assertThat(runs(info)).isTrue();
        programJob().orElseThrow().cancel();
        Ui.await("it is ended", LONG, () -> shown().contains("The program was ended."));
        assertThat(runs(info)).isFalse();
        assertThat(shown()).as("what it wrote at its end").contains("{\"calls\":");
    }

    /** A shell that no SIGTERM ends. */
    @Test
    void whatDoesNotEndWhenAskedIsKilled() throws Exception {
        record(new ProbeSpec(LIBC, "write"), "/bin/sh", "-c",
                "trap '' TERM; while :; do echo out; echo err >&2; sleep 0.2; done");
        Ui.await("both streams are shown", LONG, () -> shown().contains("out") && shown().contains("err"));
        Ui.get(SessionController::get).stopRecording();
        SessionInfo info = opened();
        Ui.await("it has a job of its own", LONG, () -> programJob().isPresent());
        String before = shown();
        Ui.await("its output goes on", LONG, () -> shown().length() > before.length() + 8);
        programJob().orElseThrow().cancel();
        Ui.await("it is ended", LONG, () -> shown().contains("The program was ended."));
        assertThat(runs(info)).isFalse();
    }

    @Test
    void anAgentThatIsGoneEndsTheJobAndIsSaid() throws Exception {
        record(counted(), RealHost.workload("kview-calls").toString(), "--rate", "1000", "--seconds", "300");
        Ui.get(SessionController::get).stopRecording();
        SessionInfo info = opened();
        Ui.await("it has a job of its own", LONG, () -> programJob().isPresent());
        try {
            ProcessHandle.of(info.pid()).flatMap(ProcessHandle::parent).orElseThrow().destroyForcibly();
            Ui.await("it is said", LONG, () -> shown().contains("The agent is gone"));
            Ui.await("the job is over", LONG, () -> programJob().isEmpty());
        } finally {
            ProcessHandle.of(info.pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void aCommandThatIsNoneIsSaid() throws Exception {
        Recordings.start(TargetService.get().local().orElseThrow(),
                new ScopeSpec.Launch(new LaunchSpec(List.of("/no/such/program"), Map.of(), "")), new RecordingRequest(List.of(counted()),
                List.of(), folder.resolve("none.kview"), RecordingOptions.DEFAULT));
        Ui.await("it is said", LONG, () -> SessionService.get().state() instanceof SessionState.Failed);
        assertThat(((SessionState.Failed) SessionService.get().state()).message()).contains("/no/such/program");
        assertThat(folder.resolve("none.kview")).doesNotExist();
    }

    @Test
    void onlyTheLatestConsolesAreKeptAndAClosedOneTakesWhatComes() {
        ProgramConsole first = new ProgramConsole(Display.getDefault(), "first");
        for (int i = 0; i < 10; i++) {
            new ProgramConsole(Display.getDefault(), "program " + i);
        }
        assertThat(consoles()).hasSize(10).extracting(IConsole::getName).doesNotContain("first");
        first.output(true, "late".getBytes(StandardCharsets.UTF_8));
        first.note("That was late.");
    }
}
