// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However a recording ends, its session can be read and nothing stays attached. */
@Order(4)
class RecordingEndTest {
    @TempDir
    private Path folder;
    private Running workload;

    @BeforeEach
    void startTheWorkload() throws Exception {
        workload = Workload.waiting(Workload.DEMO, "--only", "poll_queue", "--seconds", "600");
    }

    @AfterEach
    void endTheWorkload() throws Exception {
        workload.close();
    }

    private Running record(String... more) throws Exception {
        Running kview = Running.kview(folder, java.util.stream.Stream.concat(java.util.stream.Stream.of("record",
                "--pid", "" + workload.pid(), "--probe", "kview-demo:poll_queue", "--events", "-o", "s.kview"),
                java.util.Arrays.stream(more)).toArray(String[]::new));
        kview.awaitSaid("recording process");
        Workload.go(workload);
        return kview;
    }

    private void awaitFigures() throws Exception {
        Session.awaitCalls(folder.resolve("s.kview"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "HUP"})
    void aSignalEndsTheRecordingAndKeepsIt(String signal) throws Exception {
        try (Running kview = record()) {
            awaitFigures();
            Kview.Result result = kview.signal(signal).await();
            assertThat(result.exitCode()).as(result.errors()).isZero();
            assertThat(result.output()).contains("poll_queue").contains("s.kview");
            assertThat(Session.read(folder.resolve("s.kview")).function("poll_queue").calls()).isPositive();
            assertThat(workload.process().isAlive()).as("the process goes on").isTrue();
        }
    }

    /** At whatever moment: what is left can be read, or the name is free again. */
    @ParameterizedTest
    @ValueSource(ints = {0, 20, 60, 120, 250, 500})
    void aSignalWhileItStartsLeavesASessionOrNothing(int millis) throws Exception {
        try (Running kview = Running.kview(folder, "record", "--pid", "" + workload.pid(), "--probe", "kview-demo:poll_queue",
                "-o", "s.kview")) {
            kview.awaitSaid("probing");
            Thread.sleep(millis);
            Kview.Result result = kview.signal("INT").await();
            if (Files.exists(folder.resolve("s.kview"))) {
                assertThat(result.exitCode()).as(result.errors()).isZero();
                Session.read(folder.resolve("s.kview"));
            } else {
                assertThat(result.exitCode()).as(result.errors()).isEqualTo(1);
                assertThat(result.errors()).contains("breaking off before the recording began");
            }
        }
    }

    /** As the terminal does it: every process of the group gets the signal, the agent too. */
    @Test
    void ctrlCEndsTheRecordingAndKeepsIt() throws Exception {
        try (Running kview = record()) {
            awaitFigures();
            long agent = kview.agent();
            Running.signal(agent, "INT");
            Kview.Result result = kview.signal("INT").await();
            assertThat(result.exitCode()).as(result.errors()).isZero();
            Session.read(folder.resolve("s.kview"));
        }
    }

    @Test
    void theTimeAskedForEndsTheRecording() throws Exception {
        try (Running kview = record("--duration", "1s")) {
            Kview.Result result = kview.await();
            assertThat(result.exitCode()).as(result.errors()).isZero();
            long nanos = Session.read(folder.resolve("s.kview")).json().path("session").path("duration_ns").asLong();
            assertThat(nanos).isGreaterThanOrEqualTo(900_000_000L);
        }
    }

    @Test
    void theProcessesEndEndsTheRecording() throws Exception {
        try (Running kview = record()) {
            awaitFigures();
            workload.signal("KILL");
            Kview.Result result = kview.await();
            assertThat(result.exitCode()).as(result.errors()).isZero();
            assertThat(Session.read(folder.resolve("s.kview")).function("poll_queue").calls()).isPositive();
        }
    }

    @Test
    void aLaunchedProgramEndsWithItsRecording() throws Exception {
        try (Running kview = Running.kview(folder, "record", "--probe", "kview-demo:poll_queue", "-o", "l.kview", "--",
                Workload.DEMO.toString(), "--only", "poll_queue", "--seconds", "600", "--truth", "-")) {
            kview.awaitSaid("recording process");
            long program = ProcessHandle.of(kview.agent()).orElseThrow().children().findFirst().orElseThrow().pid();
            Kview.Result result = kview.signal("INT").await();
            assertThat(result.exitCode()).as(result.errors()).isZero();
            assertThat(ProcessHandle.of(program).filter(ProcessHandle::isAlive)).isEmpty();
            assertThat(result.output()).as("its last words are passed through").contains("kview-demo-truth");
        }
    }

    @Test
    void aKilledWorkbenchLeavesNothingAttachedAndASessionToRead() throws Exception {
        try (Running kview = record()) {
            awaitFigures();
            long agent = kview.agent();
            Attached attached = Attached.by(agent);
            kview.signal("KILL").process().waitFor();
            while (ProcessHandle.of(agent).map(ProcessHandle::isAlive).orElse(false)) {
                Thread.sleep(20);
            }
            attached.assertGone();
            assertThat(workload.process().isAlive()).as("the process goes on").isTrue();
            Session session = Session.read(folder.resolve("s.kview"));
            assertThat(session.function("poll_queue").calls()).isPositive();
            Kview.Result table = Kview.run(folder, "report", "s.kview");
            assertThat(table.exitCode()).isZero();
        }
    }

    /** Nobody is left who could ask it to end. */
    @Test
    void aLaunchedProgramRunsOnWithoutProbesWhenTheWorkbenchIsKilled() throws Exception {
        try (Running kview = launch()) {
            awaitFigures();
            long agent = kview.agent();
            ProcessHandle program = launched(agent);
            try {
                Attached attached = Attached.by(agent);
                assertThat(ProgramText.of(program.pid()).changedBytes()).as("while it is recorded").isPositive();
                kview.signal("KILL").process().waitFor();
                while (ProcessHandle.of(agent).map(ProcessHandle::isAlive).orElse(false)) {
                    Thread.sleep(20);
                }
                attached.assertGone();
                assertThat(program.isAlive()).as("the program goes on").isTrue();
                assertThat(ProgramText.of(program.pid()).changedBytes()).as("breakpoints that are left").isZero();
                Session session = Session.read(folder.resolve("s.kview"));
                assertThat(session.function("poll_queue").calls()).isPositive();
                assertThat(session.json().path("session").path("state").asText()).isEqualTo("recording");
            } finally {
                program.destroyForcibly();
            }
        }
    }

    @Test
    void aLaunchedProgramThatNobodyCanEndIsNamed() throws Exception {
        try (Running kview = launch()) {
            awaitFigures();
            long agent = kview.agent();
            ProcessHandle program = launched(agent);
            try {
                Running.signal(agent, "KILL");
                Kview.Result result = kview.await();
                assertThat(result.exitCode()).isEqualTo(1);
                assertThat(result.errors()).contains("process " + program.pid()
                        + " was not asked to end, as its agent can't be reached, and may go on");
                assertThat(program.isAlive()).isTrue();
            } finally {
                program.destroyForcibly();
            }
        }
    }

    private Running launch() throws Exception {
        return Running.kview(folder, "record", "--probe", "kview-demo:poll_queue", "-o", "s.kview", "--",
                Workload.DEMO.toString(), "--only", "poll_queue", "--seconds", "600", "--truth", "-")
                .awaitSaid("recording process");
    }

    private static ProcessHandle launched(long agent) {
        return ProcessHandle.of(agent).orElseThrow().children().findFirst().orElseThrow();
    }

    @Test
    void aKilledAgentIsReportedAndTheSessionKept() throws Exception {
        try (Running kview = record()) {
            awaitFigures();
            Running.signal(kview.agent(), "KILL");
            Kview.Result result = kview.await();
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.errors()).contains("agent").contains("signal 9");
            assertThat(result.output()).contains("s.kview");
            assertThat(Session.read(folder.resolve("s.kview")).function("poll_queue").calls()).isPositive();
            assertThat(workload.process().isAlive()).as("the process goes on").isTrue();
        }
    }
}
