// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.kview.ssh.SshPrompter.HostKeyAnswer;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.testing.ScriptedPrompter;
import org.kview.testing.SshLab;

/** Connections through jump hosts and through proxy commands. */
@Isolated("It looks at all sockets of this process.")
class JumpTest {
    private SshLab lab;
    private Path agent;
    private SshLab.Server first;
    private SshLab.Server second;
    private SshLab.Server goal;

    @BeforeEach
    void openLab() throws Exception {
        lab = new SshLab();
        agent = StubAgent.write(lab.folder(), "one");
        first = lab.server("first", "");
        second = lab.server("second", "");
        goal = lab.server("goal", "");
        Files.writeString(lab.knownHosts(), first.knownHostsLine("ed25519") + second.knownHostsLine("ed25519")
                + goal.knownHostsLine("ed25519"));
    }

    @AfterEach
    void closeLab() throws Exception {
        lab.close();
    }

    private String hosts() {
        return "Host first\n HostName 127.0.0.1\n Port %d\nHost second\n HostName 127.0.0.1\n Port %d\nHost goal\n HostName 127.0.0.1\n Port %d\n"
                .formatted(first.port(), second.port(), goal.port());
    }

    private void connects(String destination) throws Exception {
        try (Agent connected = lab.target(destination, agent, SshPrompter.none()).connect()) {
            assertThat(connected.processes()).hasSize(1);
        }
    }

    private static boolean wasUsed(SshLab.Server server) throws Exception {
        return Files.readString(server.log()).contains("server_request_direct_tcpip");
    }

    /** Checks that OpenSSH itself connects with the same configuration. */
    private void opensshConnects(String host) throws Exception {
        SshLab.run("ssh", "-F", lab.config().toString(), "-o", "BatchMode=yes", host, "true");
    }

    @Test
    void throughOne() throws Exception {
        lab.configure(hosts() + "Host goal\n ProxyJump first\n");
        connects("goal");
        assertThat(wasUsed(first)).isTrue();
        assertThat(wasUsed(second)).isFalse();
        opensshConnects("goal");
    }

    @Test
    void throughAListInItsOrder() throws Exception {
        lab.configure(hosts() + "Host goal\n ProxyJump root@127.0.0.1:" + first.port() + ",second\n");
        connects("goal");
        assertThat(Files.readString(first.log())).contains("target 127.0.0.1 port " + second.port());
        assertThat(Files.readString(second.log())).contains("target 127.0.0.1 port " + goal.port());
        opensshConnects("goal");
    }

    @Test
    void throughOneThatItselfGoesThroughAnother() throws Exception {
        lab.configure(hosts() + "Host goal\n ProxyJump second\nHost second\n ProxyJump first\n");
        connects("goal");
        assertThat(Files.readString(first.log())).contains("target 127.0.0.1 port " + second.port());
        assertThat(Files.readString(second.log())).contains("target 127.0.0.1 port " + goal.port());
        opensshConnects("goal");
    }

    /** The jump host looks up the name of the destination, because it may be the only one that knows it. */
    @Test
    void theLastJumpHostFindsTheName() throws Exception {
        lab.configure(hosts() + "Host far\n HostName localhost\n Port " + goal.port() + "\n ProxyJump first\n HostKeyAlias 127.0.0.1\n");
        Files.writeString(lab.knownHosts(), goal.knownHostsLine("ed25519").replace(goal.hostName(), "127.0.0.1"),
                java.nio.file.StandardOpenOption.APPEND);
        connects("far");
        assertThat(Files.readString(first.log())).contains("target localhost port " + goal.port());
    }

    @Test
    void eachHostsKeyIsVerified() throws Exception {
        lab.configure(hosts() + "Host goal\n ProxyJump first,second\n");
        Files.writeString(lab.knownHosts(), first.knownHostsLine("ed25519") + goal.knownHostsLine("ed25519"));
        assertThat(SshLab.failure(lab.target("goal", agent, SshPrompter.none()))).hasMessageContaining(second.hostName());
        assertThat(Files.readString(second.log())).doesNotContain("userauth-request");
        assertThat(Files.readString(goal.log())).doesNotContain("SSH2_MSG_KEXINIT received");
        var prompter = new ScriptedPrompter(HostKeyAnswer.ONCE);
        try (Agent connected = lab.target("goal", agent, prompter).connect()) {
            assertThat(prompter.keys).singleElement().satisfies(key -> assertThat(key.host()).isEqualTo(second.hostName()));
        }
    }

    @Test
    void aCircleIsAnErrorAndNotAnEndlessLoop() throws Exception {
        lab.configure(hosts() + "Host first\n ProxyJump second\nHost second\n ProxyJump first\nHost goal\n ProxyJump first\n");
        assertThat(SshLab.failure(lab.target("goal", agent, SshPrompter.none()))).hasMessageContaining("in a circle");
        lab.configure(hosts() + "Host *\n ProxyJump first\n");
        assertThat(SshLab.failure(lab.target("goal", agent, SshPrompter.none()))).hasMessageContaining("in a circle");
    }

    @Test
    void aJumpHostThatMayNotForwardIsNamed() throws Exception {
        var closed = lab.server("closed", "AllowTcpForwarding no\n").trusted();
        lab.configure(hosts() + "Host goal\n ProxyJump 127.0.0.1:" + closed.port() + "\n");
        TargetException failure = SshLab.failure(lab.target("goal", agent, SshPrompter.none()));
        assertThat(failure.kind()).isEqualTo(Kind.NOT_REACHED);
        assertThat(failure).hasMessageContaining("jump host").hasMessageContaining("127.0.0.1");
    }

    @Test
    void aGoalThatDoesNotAnswerIsNamed() throws Exception {
        // A port that is taken, so that nobody else can have it, and at which nobody listens.
        try (Socket silent = new Socket()) {
            silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = silent.getLocalPort();
            lab.configure(hosts());
            assertThat(SshLab.failure(lab.target("127.0.0.1:" + port, agent, SshPrompter.none())))
                    .hasMessageContaining("does not answer on port " + port);
            lab.configure(hosts() + "Match originalhost 127.0.0.1\n ProxyJump first\n");
            assertThat(SshLab.failure(lab.target("127.0.0.1:" + port, agent, SshPrompter.none())))
                    .hasMessageContaining("through the jump host");
        }
        lab.configure("Host nowhere\n HostName nowhere.invalid\n");
        assertThat(SshLab.failure(lab.target("nowhere", agent, SshPrompter.none()))).hasMessageContaining("name is not known");
    }

    @Test
    void oneThatAcceptsAndSaysNothingIsGivenUp() throws Exception {
        try (ServerSocket silent = new ServerSocket(0)) {
            lab.configure("ConnectTimeout 1\n");
            TargetException failure = SshLab.failure(lab.target("127.0.0.1:" + silent.getLocalPort(), agent, SshPrompter.none()));
            assertThat(failure.kind()).isEqualTo(Kind.NOT_REACHED);
            assertThat(failure).hasMessageContaining("within 1 s");
        }
    }

    @Test
    void throughACommand() throws Exception {
        lab.configure(hosts() + "Host goal\n ProxyCommand ssh -F " + lab.config() + " -o BatchMode=yes -W %h:%p first\n");
        connects("goal");
        assertThat(wasUsed(first)).isTrue();
    }

    @Test
    void aCommandThatFailsIsTold() throws Exception {
        lab.configure(hosts() + "Host goal\n ProxyCommand false\n");
        assertThat(SshLab.failure(lab.target("goal", agent, SshPrompter.none()))).hasMessageContaining("closed the connection");
    }

    /** A password for a host of one site is not used for a host of another site that has the same address. */
    @Test
    void secretsAreKeptApartWhereTheWayDiffers() throws Exception {
        var asks = lab.server("asks", "PasswordAuthentication yes\nAuthorizedKeysFile none\n").trusted();
        Files.writeString(lab.knownHosts(), asks.knownHostsLine("ed25519").replace(asks.hostName(), "site-e"),
                java.nio.file.StandardOpenOption.APPEND);
        String command = " ProxyCommand ssh -F " + lab.config() + " -o BatchMode=yes -W %h:%p ";
        lab.configure(hosts() + "Host site-*\n HostName 127.0.0.1\n User ada\n Port " + asks.port()
                + "\nHost site-a site-again\n ProxyJump first\nHost site-b\n ProxyJump second\nHost site-c\n ProxyJump first,second\n"
                + "Host site-e\n HostKeyAlias site-e\nHost site-f\n" + command + "first\nHost site-g\n" + command + "second\nHost *\n ConnectTimeout 120\n");
        Map<String, SshPrompter.Purpose> purposes = new HashMap<>();
        for (String site : List.of("site-a", "site-again", "site-b", "site-c", "site-d", "site-e", "site-f", "site-g")) {
            var prompter = new ScriptedPrompter(HostKeyAnswer.REFUSE);
            TargetException failure = SshLab.failure(lab.target(site, agent, prompter));
            assertThat(prompter.questions).as(site + ": " + failure.getMessage()).isNotEmpty()
                    .containsOnly("Password of ada@127.0.0.1:" + asks.port() + " (" + site + ") (secret)");
            purposes.put(site, prompter.asked.getFirst().purpose());
        }
        String goalsAddress = "ada@127.0.0.1:" + asks.port();
        String me = System.getProperty("user.name") + "@127.0.0.1:";
        assertThat(purposes).containsEntry("site-d", new SshPrompter.Purpose.Password(goalsAddress))
                .containsEntry("site-c", new SshPrompter.Purpose.Password(goalsAddress + " through " + me + second.port()
                        + " through " + me + first.port()))
                .containsEntry("site-e", new SshPrompter.Purpose.Password(goalsAddress + " as site-e"));
        assertThat(purposes.remove("site-again")).isEqualTo(purposes.get("site-a"));
        assertThat(purposes.values()).doesNotHaveDuplicates();
    }

    /** No port is opened on this machine that others could use, and nothing is left over. */
    @Test
    void nothingListensMeanwhileAndNothingStaysOpen() throws Exception {
        lab.configure(hosts() + "Host goal\n ProxyJump first,second\n");
        String own = Long.toString(ProcessHandle.current().pid());
        Agent connected = lab.target("goal", agent, SshPrompter.none()).connect();
        assertThat(listeners(own)).isZero();
        connected.close();
        for (int i = 0; i < 5000 && connections() > 0; i++) {
            Thread.sleep(20);
        }
        assertThat(connections()).isZero();
    }

    private long connections() {
        return Stream.of(first, second, goal).mapToLong(server -> server.process().descendants().count()).sum();
    }

    private static long listeners(String pid) throws Exception {
        java.util.Set<String> inodes = new java.util.HashSet<>();
        for (String table : java.util.List.of("tcp", "tcp6")) {
            Files.readAllLines(Path.of("/proc/self/net", table)).stream().skip(1).map(line -> line.strip().split("\\s+"))
                    .filter(words -> words[3].equals("0A")).forEach(words -> inodes.add("socket:[" + words[9] + "]"));
        }
        long count = 0;
        try (var files = Files.list(Path.of("/proc", pid, "fd"))) {
            for (Path file : files.toList()) {
                try {
                    count += inodes.contains(Files.readSymbolicLink(file).toString()) ? 1 : 0;
                } catch (java.io.IOException e) {
                    // It was closed meanwhile.
                }
            }
        }
        return count;
    }
}
