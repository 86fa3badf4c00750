// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.kview.model.ClockOffset;
import org.kview.ssh.SshPrompter.HostKeyAnswer;
import org.kview.targets.Agent;
import org.kview.targets.values.LinkState;
import org.kview.targets.values.LinkStatus;
import org.kview.targets.values.RecordingEnd;
import org.kview.testing.Relay;
import org.kview.testing.ScriptedPrompter;
import org.kview.testing.SshLab;

/** A real server, the real agent, and a network between them that breaks in different ways. */
@Order(2)
@Timeout(300)
class LinkTest {
    private static final Duration GRACE = Duration.ofMinutes(2);
    private static final int RATE = 10_000;

    private SshLab lab;
    private SshLab.Server server;
    private Relay relay;
    private final ScriptedPrompter prompter = new ScriptedPrompter(HostKeyAnswer.ONCE);

    @BeforeEach
    void open() throws Exception {
        LinkedRecording.assumeItWorks();
        lab = new SshLab();
        serve("a", "");
    }

    private void serve(String name, String options) throws Exception {
        server = lab.server(name, options);
        relay = new Relay(server.port());
        Files.writeString(lab.knownHosts(), server.knownHostsLine("ed25519").replace(":" + server.port(), ":" + relay.port()),
                StandardOpenOption.APPEND);
    }

    @AfterEach
    void close() throws Exception {
        if (relay != null) {
            relay.close();
        }
        if (lab != null) {
            lab.close();
        }
    }

    private Agent connect() throws Exception {
        return connectAs("");
    }

    /** @param user with an at sign after it, or empty for the user who runs the tests */
    private Agent connectAs(String user) throws Exception {
        return lab.target(user + "127.0.0.1:" + relay.port(), LinkedRecording.AGENT, prompter).connect();
    }

    private LinkedRecording record(Duration grace) throws Exception {
        return new LinkedRecording(connect(), RATE, grace);
    }

    /** Those that are on the host now, of all home folders below the lab's folder. */
    private List<ProcessHandle> agents() {
        String folder = lab.folder().toString();
        return ProcessHandle.allProcesses().filter(process -> process.info().command()
                .filter(command -> command.startsWith(folder) && command.endsWith("/kview-agent")).isPresent()).toList();
    }

    private void awaitNoAgent() throws InterruptedException {
        for (int i = 0; i < 1200 && !agents().isEmpty(); i++) {
            Thread.sleep(50);
        }
        assertThat(agents()).as("agents that are left on the host").isEmpty();
    }

    @Test
    void aCutInTheMiddleCostsNothing() throws Exception {
        try (LinkedRecording recording = record(GRACE)) {
            recording.go();
            relay.cut();
            assertThat(recording.await(LinkState.LOST).sentence()).contains("goes on there for 120 s");
            recording.await(LinkState.RECONNECTING);
            relay.mend();
            assertThat(recording.await(LinkState.RESUMED).sentence()).contains("is back after");
            assertThat(recording.agent().processes()).as("and it answers").isNotEmpty();
            recording.awaitMoreCalls();
            recording.assertComplete();
            assertThat(recording.heard()).extracting(LinkStatus::state)
                    .containsSubsequence(LinkState.LOST, LinkState.RECONNECTING, LinkState.RESUMED)
                    .doesNotContain(LinkState.GONE);
        }
        awaitNoAgent();
    }

    /** The second agent starts as another user's; only through sudo it becomes root's, as the first one was. */
    @Test
    void aCutOfFiveSecondsCostsNothingWhereSudoStartsTheAgent() throws Exception {
        String user = lab.addUser("*");
        lab.sudoers(user, "Defaults:" + user + " use_pty\n" + user + " ALL=(root) NOPASSWD: ALL");
        relay.close();
        serve("b", "SetEnv LANG=C\n"); // with home folders of the users' own
        try (LinkedRecording recording = new LinkedRecording(connectAs(user + "@"), RATE, GRACE)) {
            assertThat(recording.agent().host().uid()).isZero();
            recording.go();
            relay.cut();
            recording.await(LinkState.LOST);
            Thread.sleep(5000);
            relay.mend();
            recording.await(LinkState.RESUMED);
            recording.assertComplete();
        }
        awaitNoAgent();
    }

    /** The agent writes nothing there while it records, and a verified one need not be uploaded again. */
    @Test
    void aDiskOfTheHostThatGetsFullCostsNothing() throws Exception {
        SshLab.run("mount", "-t", "tmpfs", "-o", "size=8m", "kview-test", lab.home().toString());
        try {
            try (LinkedRecording recording = record(GRACE)) {
                recording.go();
                Path filler = Files.createFile(lab.home().resolve("filler"));
                assertThatThrownBy(() -> Files.write(filler, new byte[8 << 20])).hasMessageContaining("No space left");
                relay.cut();
                recording.await(LinkState.LOST);
                relay.mend();
                recording.await(LinkState.RESUMED);
                recording.assertComplete();
            }
            awaitNoAgent();
        } finally {
            SshLab.run("umount", "-l", lab.home().toString());
        }
    }

    /** Nobody is told of the break: only the silence shows it. */
    @Test
    void aStallIsSeenAndPasses() throws Exception {
        // Only here silence is judged after 6 s: on a busy machine a host may well be silent for some seconds.
        lab.configure("ServerAliveInterval 3\nServerAliveCountMax 2\n");
        try (LinkedRecording recording = record(GRACE)) {
            recording.go();
            relay.stall();
            recording.await(LinkState.STALLED);
            recording.await(LinkState.LOST);
            relay.flow();
            recording.await(LinkState.RESUMED);
            recording.assertComplete();
        }
        awaitNoAgent();
    }

    @Test
    void aGarbledByteIsALostLink() throws Exception {
        try (LinkedRecording recording = record(GRACE)) {
            recording.go();
            relay.garble();
            recording.await(LinkState.RESUMED);
            recording.assertComplete();
        }
    }

    /** A distant host is not a lost one, and the clocks of one machine are found to be the same. */
    @Test
    void aLongWayIsMeasured() throws Exception {
        relay.delay(Duration.ofMillis(100));
        try (LinkedRecording recording = record(GRACE)) {
            recording.go();
            Thread.sleep(2000);
            recording.assertComplete();
            assertThat(recording.heard()).extracting(LinkStatus::state).doesNotContain(LinkState.LOST);
            assertThat(recording.agent().roundTrip().orElseThrow()).isGreaterThanOrEqualTo(Duration.ofMillis(200));
            ClockOffset offset = recording.agent().clockOffset().orElseThrow();
            assertThat(offset.uncertaintyNanos()).isGreaterThanOrEqualTo(Duration.ofMillis(100).toNanos());
            assertThat(Math.abs(offset.offsetNanos())).as("%s", offset).isLessThanOrEqualTo(offset.uncertaintyNanos());
        }
    }

    @Test
    void aLossyNetworkIsNoLostOne() throws Exception {
        relay.lose(0.01);
        try (LinkedRecording recording = record(GRACE)) {
            recording.go();
            Thread.sleep(2500);
            recording.assertComplete();
            assertThat(recording.heard()).extracting(LinkStatus::state).doesNotContain(LinkState.LOST);
        }
    }

    @Test
    void theServersEndOfAConnectionIsKilled() throws Exception {
        try (LinkedRecording recording = record(GRACE)) {
            recording.go();
            // Kills the server's processes that serve a connection, but not the agent that they started.
            server.process().children().forEach(ProcessHandle::destroyForcibly);
            recording.await(LinkState.RESUMED);
            recording.assertComplete();
        }
        awaitNoAgent();
    }

    @Test
    void aLinkThatIsGoneForGoodLeavesNothing() throws Exception {
        try (LinkedRecording recording = record(Duration.ofSeconds(2))) {
            recording.go();
            relay.cut();
            RecordingEnd end = recording.awaitEnd();
            assertThat(end.reason()).isEqualTo(RecordingEnd.Reason.CONNECTION_LOST);
            assertThat(end.message()).contains("was lost and not back within 2 s", "is kept").hasLineCount(1);
            assertThat(recording.calls()).as("what came before").isPositive();
            recording.await(LinkState.GONE);
            awaitNoAgent();
            assertThat(recording.isProgramAlive()).isTrue();
        }
    }

    @Test
    void anAgentThatIsKilledIsNotWaitedFor() throws Exception {
        try (LinkedRecording recording = record(GRACE)) {
            recording.go();
            agents().forEach(ProcessHandle::destroyForcibly);
            assertThat(recording.awaitEnd().message()).contains("killed by signal 9").hasLineCount(1);
            recording.await(LinkState.GONE);
            assertThat(recording.heard()).extracting(LinkStatus::state).doesNotContain(LinkState.LOST, LinkState.RECONNECTING);
        }
    }

    /** The link was cut and taken up again, and then the agent was killed: that ends the recording at once. */
    @Test
    void anAgentThatIsKilledAfterItsReturnIsNotWaitedFor() throws Exception {
        try (LinkedRecording recording = record(GRACE)) {
            recording.go();
            List<ProcessHandle> agent = agents();
            relay.cut();
            recording.await(LinkState.LOST);
            relay.mend();
            recording.await(LinkState.RESUMED);
            agent.forEach(ProcessHandle::destroyForcibly);
            assertThat(recording.awaitEnd().reason()).isEqualTo(RecordingEnd.Reason.CONNECTION_LOST);
            awaitNoAgent();
        }
    }

    /** As a host that is booted meanwhile: its server is there again, and no agent. */
    @Test
    void aHostThatIsBackWithoutTheAgentIsNotWaitedFor() throws Exception {
        try (LinkedRecording recording = record(GRACE)) {
            recording.go();
            List<ProcessHandle> agent = agents();
            relay.cut();
            recording.await(LinkState.LOST);
            agent.forEach(ProcessHandle::destroyForcibly);
            relay.mend();
            RecordingEnd end = recording.awaitEnd();
            assertThat(end.reason()).isEqualTo(RecordingEnd.Reason.CONNECTION_LOST);
            assertThat(end.message()).contains("or the host was booted anew, which was ", "what was recorded before is kept").hasLineCount(1);
            assertThat(recording.calls()).as("what came before").isPositive();
            awaitNoAgent();
        }
    }

    @Test
    void anIdleConnectionThatIsCutIsGone() throws Exception {
        try (Agent agent = connect()) {
            assertThat(agent.linkStatus().state()).isEqualTo(LinkState.CONNECTED);
            relay.cut();
            for (int i = 0; i < 5000 && agent.linkStatus().state() != LinkState.GONE; i++) {
                Thread.sleep(20);
            }
            assertThat(agent.linkStatus().state()).isEqualTo(LinkState.GONE);
            assertThat(agent.linkStatus().sentence()).contains("is lost", "connect again").hasLineCount(1);
        }
        awaitNoAgent();
    }

    @Test
    void aHostThatWasTrustedForOnceIsNotAskedAboutAgain() throws Exception {
        Files.writeString(lab.knownHosts(), "");
        try (LinkedRecording recording = record(GRACE)) {
            recording.go();
            assertThat(prompter.keys).hasSize(1);
            relay.cut();
            recording.await(LinkState.LOST);
            relay.mend();
            recording.await(LinkState.RESUMED);
            recording.assertComplete();
            assertThat(prompter.keys).hasSize(1);
        }
    }
}
