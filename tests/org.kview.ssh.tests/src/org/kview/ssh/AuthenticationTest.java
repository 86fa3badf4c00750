// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.ssh.SshPrompter.HostKeyAnswer;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.testing.ScriptedPrompter;
import org.kview.testing.SshLab;

/** Logging in with keys in files, keys of an agent, and passwords. */
class AuthenticationTest extends LabTest {
    private static final String SECRET = "correct horse";


    private static ScriptedPrompter answering(String... answers) {
        return new ScriptedPrompter(HostKeyAnswer.REFUSE, answers);
    }

    private void connects(SshTarget target) throws Exception {
        try (Agent connected = target.connect()) {
            assertThat(connected.processes()).hasSize(1);
        }
    }

    private SshLab.Server serverFor(Path key) throws Exception {
        lab.authorize(key);
        lab.configure("IdentityFile " + key);
        return lab.server("a", "").trusted();
    }

    @ParameterizedTest
    @CsvSource({"ed25519,", "ecdsa,", "ecdsa,-b 521", "rsa,", "rsa,-m PEM", "ecdsa,-m PEM", "rsa,-m PKCS8"})
    void keysOfEachKind(String type, String options) throws Exception {
        Path key = lab.makeKey("mine", type, "", options == null ? new String[0] : options.split(" "));
        var server = serverFor(key);
        connects(lab.target(server, agent, SshPrompter.none()));
        Files.delete(Path.of(key + ".pub"));
        connects(lab.target(server, agent, SshPrompter.none()));
    }

    @ParameterizedTest
    @CsvSource({"ed25519,", "rsa,", "rsa,-m PEM", "rsa,-m PKCS8", "ed25519,-Z aes256-gcm@openssh.com"})
    void encryptedKeys(String type, String options) throws Exception {
        Path key = lab.makeKey("mine", type, SECRET, options == null ? new String[0] : options.split(" "));
        var server = serverFor(key);
        var prompter = answering("wrong", SECRET);
        connects(lab.target(server, agent, prompter));
        assertThat(prompter.questions).hasSize(2).allMatch(q -> q.contains(key.toString()) && q.endsWith("(secret)"));
        assertThat(prompter.judgements).containsExactly(false, true);
        assertThat(prompter.asked).extracting(SshPrompter.Question::again).containsExactly(false, true);
        assertThat(prompter.asked).extracting(SshPrompter.Question::purpose).containsOnly(new SshPrompter.Purpose.Passphrase(key));
    }

    @Test
    void aPassphraseIsAskedForOnlyWhenTheHostWouldTakeTheKey() throws Exception {
        Path locked = lab.makeKey("locked", "ed25519", SECRET);
        Files.delete(Path.of(locked + ".pub"));
        lab.configure("IdentityFile " + locked + "\nIdentityFile " + lab.folder().resolve("id"));
        var prompter = answering();
        connects(lab.target(lab.server("a", "").trusted(), agent, prompter));
        assertThat(prompter.questions).isEmpty();
    }

    @Test
    void aKeyThatIsNotUnlockedGivesWayToTheNext() throws Exception {
        Path locked = lab.makeKey("locked", "ed25519", SECRET);
        Files.writeString(lab.folder().resolve("authorized_keys"), Files.readString(Path.of(locked + ".pub")),
                java.nio.file.StandardOpenOption.APPEND);
        lab.configure("IdentityFile " + locked + "\nIdentityFile " + lab.folder().resolve("id"));
        connects(lab.target(lab.server("a", "").trusted(), agent, answering("wrong", "wrong", "wrong")));
    }

    @Test
    void theMessageTellsWhatWasTried() throws Exception {
        Path locked = lab.makeKey("mine", "ed25519", SECRET);
        var server = serverFor(locked);
        Path other = lab.makeKey("other", "rsa", "");
        lab.configure("IdentityFile " + locked + "\nIdentityFile " + other + "\nIdentityFile " + lab.folder() + "/missing");
        TargetException failure = SshLab.failure(lab.target(server, agent, SshPrompter.none()));
        assertThat(failure.kind()).isEqualTo(Kind.NOT_REACHED);
        assertThat(failure).hasMessageContaining("was not unlocked").hasMessageContaining("there is no key")
                .hasMessageContaining(SshLab.run("ssh-keygen", "-lf", other + ".pub").split(" ")[1]);
        assertThat(failure.getMessage()).doesNotContain(SECRET);
    }

    @Test
    void aKeyThatOthersCanReadIsNotUsed() throws Exception {
        Path key = lab.makeKey("mine", "ed25519", "");
        var server = serverFor(key);
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(SshLab.failure(lab.target(server, agent, SshPrompter.none()))).hasMessageContaining("chmod 600");
    }

    private static boolean answers(Path socket) {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return channel.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private Process startKeyAgent(Path socket, Path... keys) throws Exception {
        Process process = new ProcessBuilder("ssh-agent", "-D", "-a", socket.toString()).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        // The socket is there before the agent listens at it.
        for (int i = 0; i < 5000 && !answers(socket); i++) {
            Thread.sleep(20);
        }
        for (Path key : keys) {
            SshLab.run("env", "SSH_AUTH_SOCK=" + socket, "ssh-add", "-q", key.toString());
        }
        return process;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ed25519", "ecdsa", "rsa"})
    void keysOfAnAgent(String type) throws Exception {
        Path key = lab.makeKey("mine", type, "");
        lab.authorize(key);
        Path socket = lab.folder().resolve("agent.sock");
        Process keyAgent = startKeyAgent(socket, key);
        try {
            Files.delete(key);
            lab.configure("IdentityFile none\nIdentityAgent " + socket);
            var server = lab.server("a", "").trusted();
            connects(lab.target(server, agent, SshPrompter.none()));
            lab.configure("IdentityFile none\nIdentityAgent SSH_AUTH_SOCK");
            lab.variable("SSH_AUTH_SOCK", socket.toString());
            connects(lab.target(server, agent, SshPrompter.none()));
        } finally {
            keyAgent.destroy();
            keyAgent.waitFor();
        }
        assertThat(SshLab.failure(lab.target("127.0.0.1:" + 1, agent, SshPrompter.none()))).hasMessageContaining("does not answer");
    }

    @Test
    void identitiesOnlyKeepsOtherKeysOfTheAgentBack() throws Exception {
        Path socket = lab.folder().resolve("agent.sock");
        Path[] many = new Path[4];
        for (int i = 0; i < many.length; i++) {
            many[i] = lab.makeKey("many" + i, "ed25519", "");
        }
        Path mine = lab.makeKey("mine", "ed25519", "");
        lab.authorize(mine);
        Process keyAgent = startKeyAgent(socket, many[0], many[1], many[2], many[3], mine);
        try {
            Files.delete(mine);
            var server = lab.server("a", "MaxAuthTries 2\n").trusted();
            lab.configure("IdentityFile none\nIdentityAgent " + socket);
            assertThat(SshLab.failure(lab.target(server, agent, SshPrompter.none())).kind()).isEqualTo(Kind.NOT_REACHED);
            lab.configure("IdentityFile " + mine + "\nIdentitiesOnly yes\nIdentityAgent " + socket);
            connects(lab.target(server, agent, SshPrompter.none()));
            // Also without IdentitiesOnly the named keys come first.
            lab.configure("IdentityFile " + mine + "\nIdentityAgent " + socket);
            connects(lab.target(server, agent, SshPrompter.none()));
        } finally {
            keyAgent.destroy();
            keyAgent.waitFor();
        }
    }

    @Test
    void aDeadAgentIsMentioned() throws Exception {
        lab.configure("IdentityFile none\nIdentityAgent " + lab.folder() + "/nobody.sock");
        assertThat(SshLab.failure(lab.target(lab.server("a", "").trusted(), agent, SshPrompter.none())))
                .hasMessageContaining("nobody.sock does not answer");
    }

    private String userWithPassword() throws Exception {
        return lab.addUser(SshLab.run("openssl", "passwd", "-6", SECRET).strip());
    }

    @Test
    void aPasswordIsTheLastResort() throws Exception {
        String user = userWithPassword();
        lab.sudoers(user, user + " ALL=(root) NOPASSWD: ALL");
        var server = lab.server("a", "PasswordAuthentication yes\nAuthorizedKeysFile none\nSetEnv LANG=C\n").trusted();
        String name = user + "@127.0.0.1:" + server.port();
        var prompter = answering("wrong", SECRET);
        connects(lab.target(name, agent, prompter));
        assertThat(prompter.questions).hasSize(2).allMatch(q -> q.equals("Password of " + name + " (secret)"));
        assertThat(prompter.judgements).containsExactly(false, true);
        assertThat(prompter.asked).extracting(SshPrompter.Question::again).containsExactly(false, true);
        lab.configure("BatchMode yes");
        var silent = answering(SECRET);
        assertThat(SshLab.failure(lab.target(name, agent, silent)).kind()).isEqualTo(Kind.NOT_REACHED);
        assertThat(silent.questions).isEmpty();
        lab.configure("NumberOfPasswordPrompts 1");
        var one = answering("wrong", SECRET);
        SshLab.failure(lab.target(name, agent, one));
        assertThat(one.questions).hasSize(1);
        assertThat(one.judgements).containsExactly(false);
    }

    @Test
    void keyboardInteractive() throws Exception {
        assumeTrue(Files.exists(Path.of("/etc/pam.d/sshd")), "the server has PAM");
        String user = userWithPassword();
        lab.sudoers(user, user + " ALL=(root) NOPASSWD: ALL");
        var server = lab.server("a", "KbdInteractiveAuthentication yes\nUsePAM yes\nAuthorizedKeysFile none\nSetEnv LANG=C\n").trusted();
        var prompter = answering(SECRET);
        connects(lab.target(user + "@127.0.0.1:" + server.port(), agent, prompter));
        assertThat(prompter.questions).singleElement().asString().contains("asks: Password").endsWith("(secret)");
        assertThat(prompter.judgements).containsExactly(true);
    }

    /** What a host asks in one request is asked in one question, including prompts whose answers may be shown. */
    @Test
    void questionsOfAHostComeTogether() {
        var prompter = answering("ada", "4711");
        var questions = new Questions("ada@web-3", "ada@10.0.0.3", prompter);
        assertThat(questions.interactive(null, "", "Two factors", "", new String[] {"User: ", "Code: "},
                new boolean[] {true, false})).containsExactly("ada", "4711");
        assertThat(prompter.asked).singleElement().satisfies(question -> {
            assertThat(question.heading()).isEqualTo("ada@web-3 asks: Two factors");
            assertThat(question.purpose()).isEqualTo(new SshPrompter.Purpose.Interactive("ada@10.0.0.3"));
            assertThat(question.prompts()).containsExactly(new SshPrompter.Prompt("User", false),
                    new SshPrompter.Prompt("Code", true));
        });
        assertThat(questions.interactive(null, "", "", "", new String[0], new boolean[0])).isEmpty();
        questions.judge(true);
        assertThat(prompter.judgements).containsExactly(true);
    }

    /** No secret is written to any file in the test's folders. */
    @Test
    void secretsAreNotWrittenAnywhere() throws Exception {
        Path key = lab.makeKey("mine", "ed25519", SECRET);
        connects(lab.target(serverFor(key), agent, answering(SECRET)));
        try (var files = Files.walk(lab.folder())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1)).as(file.toString())
                        .doesNotContain(SECRET);
            }
        }
    }

    @Test
    void whatAHostAsksCannotPlayWithTheTerminal() {
        assertThat(Questions.shown("Pass\u001b[2Jword\r\n\u202e:")).isEqualTo("Pass\ufffd[2Jword \ufffd");
        assertThat(Questions.shown("x".repeat(10_000))).hasSizeLessThan(600);
        assertThat(List.of(Questions.shown(""))).containsExactly("");
    }
}
