// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kview.ssh.SshPrompter.HostKeyAnswer;
import org.kview.targets.Agent;
import org.kview.targets.InstalledAgent;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.testing.ScriptedPrompter;
import org.kview.testing.SshLab;

/** Does word for word what users without rights are told to have done, with the real agent, sudo and setcap. */
class InstalledAgentTest {
    private Path agent;
    private SshLab lab;
    private SshLab.Server server;
    private String user;
    private InstalledAgent installed;
    private boolean cleans;

    @BeforeEach
    void openLab() throws Exception {
        assumeTrue(Files.isExecutable(LinkedRecording.AGENT), "the agent is not built");
        lab = new SshLab();
        agent = ofItsOwn(lab.folder().resolve("agent"));
        user = lab.addUser("*");
        server = lab.server("a", "SetEnv LANG=C\n").trusted();
        installed = InstalledAgent.of(Files.readAllBytes(agent));
        assumeTrue(!Files.exists(Path.of(installed.path())), "this machine has it installed");
        cleans = true;
    }

    /**
     * An agent that is installed on this machine is started by every connection that uploads the same agent. Other
     * tests upload the agent as built. So this test uses a different one: a copy with a byte appended.
     */
    private static Path ofItsOwn(Path copy) throws IOException {
        Files.copy(LinkedRecording.AGENT, copy, StandardCopyOption.COPY_ATTRIBUTES);
        return Files.writeString(copy, "\n", StandardOpenOption.APPEND);
    }

    @AfterEach
    void closeLab() throws Exception {
        if (cleans) {
            Files.deleteIfExists(Path.of(installed.path()));
        }
        if (lab != null) {
            lab.close();
        }
    }

    private SshTarget target() throws Exception {
        return lab.target(user + "@127.0.0.1:" + server.port(), agent, new ScriptedPrompter(HostKeyAnswer.REFUSE));
    }

    private Path uploaded() throws Exception {
        return lab.agents(lab.folder().resolve(user)).resolve(AgentUpload.sha256(Files.readAllBytes(agent)))
                .resolve("kview-agent");
    }

    private TargetException failure() throws Exception {
        TargetException failure = SshLab.failure(target());
        assertThat(failure.kind()).isEqualTo(Kind.NO_PERMISSION);
        return failure;
    }

    private static void install(TargetException failure) throws Exception {
        SshLab.run("sh", "-c", failure.getMessage().replaceFirst("(?s).*can change, with: (.*?) — and then.*", "$1"));
    }

    private void addTheLine(TargetException failure) throws Exception {
        lab.sudoers(user, failure.getMessage().replaceFirst("(?s).*kview-workbench': (.*?) — or run.*", "$1"));
    }

    @Test
    void theLineForSudoAllowsTheInstalledAgentAndNothingInItsPlace() throws Exception {
        TargetException failure = failure();
        install(failure);
        addTheLine(failure);
        try (Agent connected = target().connect()) {
            assertThat(connected.host().uid()).isZero();
            assertThat(connected.host().refusal()).isEmpty();
            assertThat(connected.host().canRecord()).isTrue();
        }
        // A new file of that name: the agent may still be ending, and a running program can't be written.
        Path replaced = Path.of(installed.path());
        Files.delete(replaced);
        Files.writeString(replaced, "#!/bin/sh\nid\n");
        Files.setPosixFilePermissions(replaced, PosixFilePermissions.fromString("rwxr-xr-x"));
        Process other = new ProcessBuilder("su", user, "-s", "/bin/sh", "-c", "sudo -n " + installed.path())
                .redirectErrorStream(true).start();
        assertThat(other.waitFor()).isNotZero();
        assertThat(failure()).hasMessageContaining(installed.installCommand(uploaded().toString()));
    }

    @Test
    void theLineAloneDoesNotHelpAndTheAgentIsNotBroughtOnceItIsInstalled() throws Exception {
        addTheLine(failure());
        TargetException failure = failure();
        install(failure);
        SshLab.run("rm", "-rf", uploaded().getParent().toString());
        try (Agent connected = target().connect()) {
            assertThat(connected.host().uid()).isZero();
        }
        assertThat(uploaded()).doesNotExist();
    }

    @Test
    void theCapabilitiesAreEnoughToMeasure() throws Exception {
        TargetException failure = failure();
        install(failure);
        assertThat(failure()).hasMessageNotContaining("sudo sh -c").hasMessageContaining(installed.path());
        SshLab.run("sh", "-c", failure.getMessage().replaceFirst("(?s).*or run: (.*?) — then.*", "$1"));
        try (Agent connected = target().connect()) {
            assertThat(connected.host().uid()).isNotZero();
            assertThat(connected.host().refusal()).isEmpty();
            assertThat(connected.host().canRecord()).isTrue();
        }
    }

    /** A sudo rule as earlier versions suggested it: the agent itself says that such a rule is not safe. */
    @Test
    void aRuleForAFileOfTheUsersIsRefused() throws Exception {
        failure();
        lab.sudoers(user, user + " ALL=(root) NOPASSWD: " + uploaded());
        assertThat(failure()).hasMessageContaining("a file that " + user + " can change").hasMessageContaining("sudo sh -c");
    }
}
