// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.ObjectMapper;

/** Recordings whose link breaks, by the command: a real server that is killed and comes back, the real agent. */
@Order(2)
class RemoteLinkTest {
    private static final String PROBE = "kview-calls:counted_call";

    @TempDir
    private Path folder;

    private Running record(SshServer server, Running calls, String grace) throws Exception {
        return Running.start(server.kview(folder, "record", "--target", server.target(), "--pid", "" + calls.pid(),
                "--probe", PROBE, "--budget", "none", "--events", "--grace", grace, "-o", "s.kview")).awaitSaid("recording process");
    }

    private static long calls(Running workload) throws Exception {
        return new ObjectMapper().readTree(workload.await().output()).path("calls").asLong();
    }

    @Test
    void aLinkThatIsCutForFiveSecondsCostsNothing() throws Exception {
        try (SshServer first = SshServer.start(folder, "");
                Running calls = Workload.waiting(Workload.CALLS, "--rate", "20000", "--seconds", "600");
                Running kview = record(first, calls, "60s")) {
            Workload.go(calls);
            Session.awaitCalls(folder.resolve("s.kview"));
            first.kill();
            Thread.sleep(5000);
            try (SshServer second = first.again()) {
                kview.awaitSaid("is back after");
                long made = calls(calls.signal("TERM"));
                Kview.Result result = kview.await();
                assertThat(result.exitCode()).as(result.errors()).isZero();
                assertThat(result.errors()).containsOnlyOnce("is lost (").contains("recording goes on there for 60 s");
                Session session = Session.read(folder.resolve("s.kview"));
                assertThat(session.function("counted_call").calls()).isEqualTo(made);
                assertThat(session.function("counted_call").returned()).isEqualTo(made);
                CtfTrace trace = CtfTrace.read(folder.resolve("s.kview/trace"));
                assertThat(trace.discarded()).isEqualTo(session.loss("events_dropped"));
                long missing = 2 * made - trace.callEvents();
                assertThat(missing).as("events that are missing").isBetween(0L, session.loss("events_dropped"));
                assertThat(session.json().path("session").path("clock").path("uncertainty_ns").asLong(-1))
                        .as("the clocks were compared").isPositive();
                RemoteTargetTest.awaitNoAgent(second);
            }
        }
    }

    @Test
    void aServerThatIsGoneForGoodLeavesASessionAndNothingElse() throws Exception {
        try (SshServer server = SshServer.start(folder, "");
                Running calls = Workload.waiting(Workload.CALLS, "--rate", "20000", "--seconds", "600");
                Running kview = record(server, calls, "1s")) {
            Workload.go(calls);
            Session.awaitCalls(folder.resolve("s.kview"));
            Attached attached = server.attached();
            server.kill();
            Kview.Result result = kview.await();
            assertThat(result.exitCode()).as(result.errors()).isEqualTo(1);
            assertThat(result.errors()).containsOnlyOnce("is lost (").containsOnlyOnce("The link was lost and not back"
                    + " within 1 s: the host 127.0.0.1 does not answer on port " + server.port() + " (Connection refused);"
                    + " what was recorded before is kept");
            assertThat(Session.read(folder.resolve("s.kview")).function("counted_call").calls()).isPositive();
            RemoteTargetTest.awaitNoAgent(server);
            attached.assertGone();
            assertThat(calls.process().isAlive()).isTrue();
        }
    }

    /** The agent may stay for an hour, which nobody who presses Ctrl-C waits for. */
    @Test
    void aSignalWhileTheLinkIsLostEndsAtOnce() throws Exception {
        try (SshServer server = SshServer.start(folder, "");
                Running calls = Workload.waiting(Workload.CALLS, "--rate", "20000", "--seconds", "600");
                Running kview = record(server, calls, "1h")) {
            Workload.go(calls);
            Session.awaitCalls(folder.resolve("s.kview"));
            server.kill();
            kview.awaitSaid("is lost (");
            List<ProcessHandle> agents = server.agents();
            try {
                Kview.Result result = kview.signal("INT").await();
                assertThat(result.exitCode()).as(result.errors()).isEqualTo(1);
                assertThat(result.errors()).containsOnlyOnce("and was not waited for, as the end was asked for; what was"
                        + " recorded before is kept, and the agent there detaches its probes and ends by itself within 3608 s");
                Session session = Session.read(folder.resolve("s.kview"));
                assertThat(session.function("counted_call").calls()).isPositive();
                assertThat(session.json().path("session").path("state").asText()).isEqualTo("failed");
                assertThat(session.json().path("session").path("state_note").asText()).contains("is lost");
            } finally {
                agents.forEach(ProcessHandle::destroyForcibly);
            }
        }
    }

    /** Of an agent that does not answer, so that the first signal has something to wait for. */
    @Test
    void aSecondSignalEndsAtOnceAndTheAgentWithinItsGraceTime() throws Exception {
        try (SshServer server = SshServer.start(folder, "");
                Running calls = Workload.waiting(Workload.CALLS, "--rate", "20000", "--seconds", "600");
                Running kview = record(server, calls, "1s")) {
            Workload.go(calls);
            Session.awaitCalls(folder.resolve("s.kview"));
            Attached attached = server.attached();
            long agent = server.agents().getFirst().pid();
            Running.signal(agent, "STOP");
            try {
                kview.signal("INT").awaitSaid("ending the recording");
                Kview.Result result = kview.signal("INT").await();
                assertThat(result.exitCode()).as(result.errors()).isEqualTo(1);
                assertThat(result.errors()).contains("holds what was written before, and an agent that still runs on another"
                        + " host detaches its probes and ends by itself within 9 s");
            } finally {
                Running.signal(agent, "CONT");
            }
            assertThat(Session.read(folder.resolve("s.kview")).function("counted_call").calls()).isPositive();
            RemoteTargetTest.awaitNoAgent(server);
            attached.assertGone();
            assertThat(calls.process().isAlive()).isTrue();
        }
    }

    @Test
    void aKilledCommandLeavesNothingOnTheHostAfterTheGraceTime() throws Exception {
        try (SshServer server = SshServer.start(folder, "");
                Running calls = Workload.waiting(Workload.CALLS, "--rate", "20000", "--seconds", "600")) {
            Attached attached;
            try (Running kview = record(server, calls, "1s")) {
                Workload.go(calls);
                Session.awaitCalls(folder.resolve("s.kview"));
                attached = server.attached();
                kview.process().descendants().forEach(ProcessHandle::destroyForcibly);
                kview.process().destroyForcibly();
            }
            RemoteTargetTest.awaitNoAgent(server);
            attached.assertGone();
            assertThat(Kview.run(folder, "report", "s.kview").exitCode()).as("what was recorded opens").isZero();
            assertThat(calls.process().isAlive()).isTrue();
        }
    }
}
