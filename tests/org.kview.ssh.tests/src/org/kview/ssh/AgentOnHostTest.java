// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.kview.ssh.SshPrompter.HostKeyAnswer;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.testing.ScriptedPrompter;
import org.kview.testing.SshLab;

/** Uploading the agent to a host, verifying it, starting it with the right privileges, and its end. */
@Order(3)
class AgentOnHostTest extends LabTest {
    private static final String NO_SFTP = "Subsystem other /bin/false\n";

    private final ScriptedPrompter prompter = new ScriptedPrompter(HostKeyAnswer.REFUSE);

    private Path uploaded(Path home, Path of) throws Exception {
        return lab.agents(home).resolve(AgentUpload.sha256(Files.readAllBytes(of))).resolve("kview-agent");
    }

    private void connectOnce(SshLab.Server server, Path agentFile) throws Exception {
        try (Agent connected = lab.target(server, agentFile, prompter).connect()) {
            assertThat(connected.host().agentVersion()).isEqualTo("stub");
            assertThat(connected.processes()).hasSize(1);
        }
    }

    @Test
    void isBroughtOnceAndUsedAgain() throws Exception {
        var server = lab.server("a", "").trusted();
        connectOnce(server, agent);
        Path there = uploaded(lab.home(), agent);
        assertThat(there).hasSameBinaryContentAs(agent);
        for (Path each : List.of(there, there.getParent(), there.getParent().getParent())) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each))).isEqualTo("rwx------");
        }
        Object inode = Files.getAttribute(there, "unix:ino");
        connectOnce(server, agent);
        assertThat(Files.getAttribute(there, "unix:ino")).isEqualTo(inode);
        assertThat(prompter.said).hasSize(1);
        assertThat(Files.readString(server.log())).contains("sftp");
    }

    @Test
    void agentsAtTheSameTimeShareOneLogin() throws Exception {
        var server = lab.server("a", "").trusted();
        SshTarget target = lab.target(server, agent, prompter);
        try (Agent first = target.connect()) {
            try (Agent second = target.connect()) {
                assertThat(second.processes()).isNotEqualTo(first.processes());
                assertThat(logins(server)).isEqualTo(1);
            }
            assertThat(first.processes()).hasSize(1);
        }
        target.connect().close();
        assertThat(logins(server)).isEqualTo(2);
    }

    private static long logins(SshLab.Server server) throws Exception {
        return Files.readAllLines(server.log()).stream().filter(line -> line.contains("Accepted publickey")).count();
    }

    @Test
    void oldVersionsGo() throws Exception {
        var server = lab.server("a", "").trusted();
        connectOnce(server, agent);
        Files.createDirectories(lab.agents(lab.home()).resolve("not-ours"));
        connectOnce(server, StubAgent.write(lab.folder(), "two"));
        assertThat(uploaded(lab.home(), agent)).doesNotExist();
        assertThat(lab.agents(lab.home()).resolve("not-ours")).exists();
    }

    @Test
    void oneThatWasChangedThereIsReplaced() throws Exception {
        var server = lab.server("a", "").trusted();
        connectOnce(server, agent);
        Files.writeString(uploaded(lab.home(), agent), "#!/bin/sh\ntouch " + lab.folder() + "/evil\n");
        connectOnce(server, agent);
        assertThat(lab.folder().resolve("evil")).doesNotExist();
        assertThat(uploaded(lab.home(), agent)).hasSameBinaryContentAs(agent);
    }

    /** The agent's file is changed after it was looked at and before it is started. */
    @Test
    void theStartVerifiesOnceMore() throws Exception {
        Path evil = Files.writeString(lab.folder().resolve("evil.sh"), "#!/bin/sh\ntouch " + lab.folder() + "/evil\n");
        String script = new AgentScripts(AgentUpload.sha256(Files.readAllBytes(agent))).start(true, false);
        Path there = uploaded(lab.home(), agent);
        Files.createDirectories(there.getParent());
        Files.copy(evil, there);
        Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rwx------"));
        var start = new ProcessBuilder("sh", "-c", RemoteShell.command(script)).redirectErrorStream(true);
        start.environment().put("HOME", lab.home().toString());
        Process process = start.start();
        assertThat(new String(process.getInputStream().readAllBytes())).contains("changed since its upload");
        assertThat(process.waitFor()).isEqualTo(AgentScripts.CHANGED_STATUS);
        assertThat(lab.folder().resolve("evil")).doesNotExist();
    }

    @Test
    void aFolderThatLeadsElsewhereIsRefused() throws Exception {
        var server = lab.server("a", "").trusted();
        Path elsewhere = Files.createDirectories(lab.folder().resolve("elsewhere"));
        Files.createDirectories(lab.agents(lab.home()).getParent());
        Files.createSymbolicLink(lab.agents(lab.home()), elsewhere);
        assertThat(SshLab.failure(lab.target(server, agent, prompter))).hasMessageContaining("its user's alone");
        connectNothing(elsewhere);
    }

    private static void connectNothing(Path folder) throws Exception {
        try (var files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void comesWithoutSftpToo() throws Exception {
        connectOnce(lab.server("a", NO_SFTP).trusted(), agent);
        assertThat(uploaded(lab.home(), agent)).hasSameBinaryContentAs(agent);
    }

    @Test
    void sftpThatShowsOtherFoldersIsGoneAround() throws Exception {
        connectOnce(lab.server("a", "Subsystem sftp /usr/bin/env --chdir=/ /usr/lib/openssh/sftp-server -R\n").trusted(), agent);
        assertThat(uploaded(lab.home(), agent)).hasSameBinaryContentAs(agent);
    }

    /** No incomplete upload is left there, and the next attempt works. */
    @Test
    void aFullDiskIsToldAndTheAgentComesWhenThereIsRoom() throws Exception {
        assumeTrue(SshLab.ROOT, "a small disk can be mounted");
        var server = lab.server("a", "").trusted();
        SshLab.run("mount", "-t", "tmpfs", "-o", "size=64k", "kview-test", lab.home().toString());
        try {
            Path filler = lab.home().resolve("filler");
            assertThatThrownBy(() -> Files.write(filler, new byte[128 << 10])).hasMessageContaining("No space left");
            assertThat(SshLab.failure(lab.target(server, agent, prompter))).hasMessageContaining("No space left")
                    .hasMessageContaining("disk not full").message().hasLineCount(1);
            try (var files = Files.walk(lab.home())) {
                assertThat(files.filter(Files::isRegularFile)).containsExactly(filler);
            }
            Files.delete(filler);
            connectOnce(server, agent);
        } finally {
            SshLab.run("umount", "-l", lab.home().toString());
        }
    }

    private String pathWith(String... programs) throws Exception {
        Path bin = Files.createDirectories(lab.folder().resolve("bin"));
        for (String program : programs) {
            Files.createSymbolicLink(bin.resolve(program), Path.of("/usr/bin", program));
        }
        return bin.toString();
    }

    @Test
    void aHostWithoutHashProgramsIsVerifiedByReadingBack() throws Exception {
        String path = pathWith("uname", "id", "mkdir", "chmod", "find", "cat", "mv", "rm", "ls");
        var server = lab.server("a", "SetEnv HOME=" + lab.home() + " PATH=" + path + "\n").trusted();
        connectOnce(server, agent);
        Files.writeString(uploaded(lab.home(), agent), "#!/bin/sh\ntouch " + lab.folder() + "/evil\n");
        connectOnce(server, agent);
        assertThat(lab.folder().resolve("evil")).doesNotExist();
        assertThat(prompter.said).hasSize(2);
    }

    private TargetException onHostThatSays(String unameScript) throws Exception {
        Path bin = Files.createDirectories(lab.folder().resolve("fake"));
        Path uname = Files.writeString(bin.resolve("uname"), "#!/bin/sh\n" + unameScript + "\n");
        Files.setPosixFilePermissions(uname, PosixFilePermissions.fromString("rwxr-xr-x"));
        var server = lab.server("a", "SetEnv HOME=" + lab.home() + " PATH=" + bin + ":/usr/bin:/bin\n").trusted();
        TargetException failure = SshLab.failure(lab.target(server, agent, prompter));
        connectNothing(lab.home());
        return failure;
    }

    @Test
    void anotherArchitectureIsToldBeforeAnythingIsBrought() throws Exception {
        TargetException failure = onHostThatSays("case $1 in -m) echo aarch64;; *) /usr/bin/uname $1;; esac");
        assertThat(failure.kind()).isEqualTo(Kind.UNSUPPORTED);
        assertThat(failure).hasMessageContaining("aarch64").hasMessageContaining("x86_64 only");
        assertThat(prompter.said).isEmpty();
    }

    @Test
    void aHostOfAnotherArchitectureGetsItsOwnAgent() throws Exception {
        Path other = StubAgent.write(lab.folder(), "one-aarch64");
        Path bin = Files.createDirectories(lab.folder().resolve("fake"));
        Path uname = Files.writeString(bin.resolve("uname"),
                "#!/bin/sh\ncase $1 in -m) echo aarch64;; *) /usr/bin/uname $1;; esac\n");
        Files.setPosixFilePermissions(uname, PosixFilePermissions.fromString("rwxr-xr-x"));
        var server = lab.server("a", "SetEnv HOME=" + lab.home() + " PATH=" + bin + ":/usr/bin:/bin\n").trusted();
        connectOnce(server, agent);
        connectOnce(server, agent);
        assertThat(uploaded(lab.home(), other)).hasSameBinaryContentAs(other);
        assertThat(uploaded(lab.home(), agent)).doesNotExist();
        assertThat(prompter.said).hasSize(1);
    }

    @Test
    void anOldKernelIsToldBeforeAnythingIsBrought() throws Exception {
        TargetException failure = onHostThatSays("case $1 in -r) echo 4.19.0-25-amd64;; *) /usr/bin/uname $1;; esac");
        assertThat(failure.kind()).isEqualTo(Kind.UNSUPPORTED);
        assertThat(failure).hasMessageContaining("4.19.0-25-amd64").hasMessageContaining("5.8");
    }

    @Test
    void anotherSystemIsTold() throws Exception {
        assertThat(onHostThatSays("case $1 in -s) echo Free'\\033'BSD;; *) /usr/bin/uname $1;; esac"))
                .hasMessageContaining("FreeBSD".substring(0, 4)).hasMessageContaining("Linux only");
    }

    @Test
    void aHostThatRunsNoCommandsIsTold() throws Exception {
        var server = lab.server("a", "ForceCommand echo no commands here >&2; exit 3\n").trusted();
        assertThat(SshLab.failure(lab.target(server, agent, prompter))).hasMessageContaining("no commands here");
    }

    @Test
    void whatLoginScriptsSayDoesNotDisturb() throws Exception {
        Files.writeString(lab.home().resolve(".bashrc"), "echo welcome to this host; echo and mind the gap >&2\n");
        var server = lab.server("a", "").trusted();
        connectOnce(server, agent);
        connectOnce(server, agent);
        assertThat(prompter.said).hasSize(1);
    }

    @Test
    void theAgentEndsWithItsConnection() throws Exception {
        var server = lab.server("a", "").trusted();
        Agent connected = lab.target(server, agent, prompter).connect();
        long pid = connected.processes().getFirst().pid();
        assertThat(ProcessHandle.of(pid)).isPresent();
        connected.close();
        awaitEnd(pid);
    }

    @Test
    void theAgentEndsWhenTheLinkIsCut() throws Exception {
        var server = lab.server("a", "").trusted();
        Agent connected = lab.target(server, agent, prompter).connect();
        long pid = connected.processes().getFirst().pid();
        // Kills the server's processes for this connection, but not the agent itself.
        server.process().descendants().filter(p -> p.pid() != pid).forEach(ProcessHandle::destroyForcibly);
        awaitEnd(pid);
        assertThatThrownBy(connected::processes).isInstanceOfSatisfying(TargetException.class,
                e -> assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST));
        connected.close();
    }

    @Test
    void aLinkThatFallsSilentIsSeen() throws Exception {
        var server = lab.server("a", "").trusted();
        // After 6 s: on a busy machine a host may well be silent for some seconds while one connects.
        lab.configure("ServerAliveInterval 3\nServerAliveCountMax 2\n");
        Agent connected = lab.target(server, agent, prompter).connect();
        List<ProcessHandle> stopped = server.process().descendants().toList();
        for (ProcessHandle each : stopped) {
            SshLab.run("kill", "-STOP", Long.toString(each.pid()));
        }
        assertThatThrownBy(connected::processes).isInstanceOfSatisfying(TargetException.class,
                e -> assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST)); // a request that took too long is NOT_REACHED
        connected.close();
    }

    private static void awaitEnd(long pid) throws InterruptedException {
        for (int i = 0; i < 2000 && isAlive(pid); i++) {
            Thread.sleep(50);
        }
        assertThat(isAlive(pid)).as("agent " + pid + " still runs").isFalse();
    }

    private static boolean isAlive(long pid) {
        try {
            return !Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (java.io.IOException e) {
            return false;
        }
    }

    private SshTarget asUser(SshLab.Server server, String user) throws Exception {
        return lab.target(user + "@127.0.0.1:" + server.port(), agent, prompter);
    }

    @Test
    void aPlainUserGoesThroughSudo() throws Exception {
        String user = lab.addUser("*");
        lab.sudoers(user, "Defaults:" + user + " use_pty\n" + user + " ALL=(root) NOPASSWD: ALL");
        var server = lab.server("a", "SetEnv LANG=C\n").trusted();
        long pid;
        try (Agent connected = asUser(server, user).connect()) {
            assertThat(connected.host().uid()).isZero();
            pid = connected.processes().getFirst().pid();
            assertThat(isAlive(pid)).isTrue();
        }
        awaitEnd(pid);
        assertThat(uploaded(lab.folder().resolve(user), agent)).exists();
    }

    /** The same rule holds for an agent that is uploaded and for one that is there already. */
    @Test
    void nothingIsStartedFromFoldersThatOthersMayChange() throws Exception {
        String user = lab.addUser("*");
        lab.sudoers(user, user + " ALL=(root) NOPASSWD: ALL");
        var server = lab.server("a", "SetEnv LANG=C\n").trusted();
        Path cache = lab.folder().resolve(user).resolve(".cache");
        Files.createDirectory(cache);
        SshLab.run("chown", user, cache.toString());
        for (boolean uploaded : new boolean[] { false, true }) {
            for (String mode : List.of("0777", "0770")) {
                SshLab.run("chmod", mode, cache.toString());
                assertThat(SshLab.failure(asUser(server, user))).as(mode).hasMessageContaining("chmod go-w");
            }
            // As in /tmp, others can't rename what is there.
            SshLab.run("chmod", uploaded ? "0755" : "1777", cache.toString());
            asUser(server, user).connect().close();
            assertThat(uploaded(lab.folder().resolve(user), agent)).exists();
        }
        SshLab.run("chown", "nobody", cache.toString());
        assertThat(SshLab.failure(asUser(server, user))).hasMessageContaining("chmod go-w");
    }

    @Test
    void sudosAgentEndsWhenTheLinkIsCut() throws Exception {
        String user = lab.addUser("*");
        lab.sudoers(user, user + " ALL=(root) NOPASSWD: ALL");
        var server = lab.server("a", "SetEnv LANG=C\n").trusted();
        Agent connected = asUser(server, user).connect();
        long pid = connected.processes().getFirst().pid();
        server.process().descendants().filter(p -> p.info().command().filter(c -> c.endsWith("sshd")).isPresent())
                .forEach(ProcessHandle::destroyForcibly);
        awaitEnd(pid);
        connected.close();
    }
}
