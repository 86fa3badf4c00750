// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.kview.ssh.SshPrompter.HostKeyAnswer;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.testing.ScriptedPrompter;
import org.kview.testing.SshLab;

/** Host keys are verified before the host is told anything about the user. */
class HostKeyTest extends LabTest {
    private void connects(SshLab.Server server, SshPrompter prompter) throws Exception {
        try (Agent connected = lab.target(server, agent, prompter).connect()) {
            assertThat(connected.processes()).hasSize(1);
        }
    }

    /** The key is refused before the host learns who the user is: its log has no attempt to log in. */
    private TargetException refuses(SshLab.Server server, SshPrompter prompter) throws Exception {
        TargetException failure = SshLab.failure(lab.target(server, agent, prompter));
        assertThat(failure.kind()).isEqualTo(Kind.NOT_REACHED);
        assertThat(Files.readString(server.log())).doesNotContain("userauth-request");
        return failure;
    }

    private String fingerprint(Path key) throws Exception {
        return SshLab.run("ssh-keygen", "-lf", key + ".pub").split(" ")[1];
    }

    @Test
    void anUnknownKeyIsRefusedWhereNobodyCanBeAsked() throws Exception {
        var server = lab.server("a", "");
        assertThat(refuses(server, SshPrompter.none())).hasMessageContaining(server.hostName())
                .hasMessageContaining(fingerprint(server.hostKey("ed25519"))).hasMessageContaining("ssh-ed25519");
        assertThat(lab.knownHosts()).isEmptyFile();
    }

    @Test
    void anUnknownKeyIsShownAndRememberedOnlyIfTheUserSaysSo() throws Exception {
        var server = lab.server("a", "");
        var refusing = new ScriptedPrompter(HostKeyAnswer.REFUSE);
        refuses(server, refusing);
        assertThat(refusing.keys).singleElement().satisfies(key -> {
            assertThat(key.host()).isEqualTo(server.hostName());
            assertThat(key.fingerprint()).isEqualTo(fingerprint(server.hostKey("ed25519")));
            assertThat(key.warning()).isEmpty();
        });
        connects(server, new ScriptedPrompter(HostKeyAnswer.ONCE));
        assertThat(lab.knownHosts()).isEmptyFile();
        connects(server, new ScriptedPrompter(HostKeyAnswer.REMEMBER));
        assertThat(Files.readString(lab.knownHosts())).startsWith(server.hostName() + " ssh-ed25519 ");
        connects(server, SshPrompter.none());
        // ssh itself accepts what was remembered.
        SshLab.run("ssh", "-F", lab.config().toString(), "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=yes", "-p",
                Integer.toString(server.port()), "127.0.0.1", "true");
    }

    @Test
    void aChangedKeyIsRefusedWithFileAndLine() throws Exception {
        lab.server("other", "");
        var server = lab.server("a", "");
        String key = Files.readString(lab.folder().resolve("other_ed25519.pub"));
        Files.writeString(lab.knownHosts(), "# first line\n" + server.hostName() + " " + key);
        for (String strictness : List.of("ask", "accept-new", "no")) {
            lab.configure("StrictHostKeyChecking " + strictness);
            var prompter = new ScriptedPrompter(HostKeyAnswer.REMEMBER);
            assertThat(refuses(server, prompter)).hasMessageContaining("line 2 of " + lab.knownHosts())
                    .hasMessageContaining(fingerprint(server.hostKey("ed25519")));
            assertThat(prompter.keys).isEmpty();
        }
    }

    @Test
    void aRevokedKeyIsRefused() throws Exception {
        var server = lab.server("a", "").trusted();
        Files.writeString(lab.knownHosts(), server.knownHostsLine("ed25519") + "@revoked " + server.knownHostsLine("ed25519"));
        assertThat(refuses(server, new ScriptedPrompter(HostKeyAnswer.ONCE))).hasMessageContaining("line 2 of")
                .hasMessageContaining("revokes");
    }

    @Test
    void hashedNamesAreUnderstood() throws Exception {
        var server = lab.server("a", "").trusted();
        SshLab.run("ssh-keygen", "-H", "-f", lab.knownHosts().toString());
        assertThat(Files.readString(lab.knownHosts())).startsWith("|1|");
        connects(server, SshPrompter.none());
    }

    @Test
    void severalFilesAreRead() throws Exception {
        var server = lab.server("a", "");
        Path second = Files.writeString(lab.folder().resolve("second"), server.knownHostsLine("ed25519"));
        lab.configure("UserKnownHostsFile " + lab.knownHosts() + " " + second);
        connects(server, SshPrompter.none());
    }

    @Test
    void strictnessIsObeyed() throws Exception {
        var server = lab.server("a", "");
        var prompter = new ScriptedPrompter(HostKeyAnswer.REMEMBER);
        lab.configure("StrictHostKeyChecking yes");
        assertThat(refuses(server, prompter)).hasMessageContaining("ssh-keyscan");
        lab.configure("StrictHostKeyChecking no");
        connects(server, prompter);
        assertThat(lab.knownHosts()).isEmptyFile();
        lab.configure("StrictHostKeyChecking accept-new\nHashKnownHosts yes");
        connects(server, prompter);
        assertThat(Files.readString(lab.knownHosts())).startsWith("|1|");
        assertThat(prompter.keys).isEmpty();
    }

    @Test
    void theTypeThatIsKnownIsAskedFor() throws Exception {
        lab.makeKey("a_ed25519", "ed25519", "");
        lab.makeKey("a_rsa", "rsa", "");
        lab.makeKey("a_ecdsa", "ecdsa", "");
        var server = lab.server("a", "HostKey " + lab.folder() + "/a_ed25519\nHostKey " + lab.folder() + "/a_rsa\nHostKey "
                + lab.folder() + "/a_ecdsa\n");
        for (String type : List.of("rsa", "ecdsa", "ed25519")) {
            Files.writeString(lab.knownHosts(), server.knownHostsLine(type));
            connects(server, SshPrompter.none());
        }
    }

    @Test
    void aKeyOfAnotherTypeIsShownWithAWarning() throws Exception {
        var server = lab.server("a", "");
        lab.makeKey("a_rsa", "rsa", "");
        Files.writeString(lab.knownHosts(), server.knownHostsLine("rsa"));
        var prompter = new ScriptedPrompter(HostKeyAnswer.REFUSE);
        refuses(server, prompter);
        assertThat(prompter.keys.getFirst().warning()).contains("line 1 of " + lab.knownHosts());
    }

    @Test
    void anAliasIsWhatCounts() throws Exception {
        var server = lab.server("a", "");
        Files.writeString(lab.knownHosts(), server.knownHostsLine("ed25519").replace(server.hostName(), "production"));
        refuses(server, SshPrompter.none());
        lab.configure("HostKeyAlias production");
        connects(server, SshPrompter.none());
    }

    /** @return a server whose certificate was made with these options */
    private SshLab.Server certified(String... options) throws Exception {
        lab.makeKey("ca", "ed25519", "");
        lab.makeKey("a_ed25519", "ed25519", "");
        var command = new java.util.ArrayList<>(List.of("ssh-keygen", "-q", "-s", lab.folder() + "/ca", "-I", "test", "-h"));
        command.addAll(List.of(options));
        command.add(lab.folder() + "/a_ed25519.pub");
        SshLab.run(command);
        return lab.server("a", "HostKey " + lab.folder() + "/a_ed25519\nHostCertificate " + lab.folder() + "/a_ed25519-cert.pub\n");
    }

    private void trustAuthority(String hosts) throws Exception {
        Files.writeString(lab.knownHosts(), "@cert-authority " + hosts + " " + Files.readString(lab.folder().resolve("ca.pub")));
    }

    @Test
    void aCertifiedKeyIsTrusted() throws Exception {
        var server = certified("-n", "127.0.0.1,other.example");
        refuses(server, SshPrompter.none());
        trustAuthority("[127.0.0.1]:*");
        connects(server, SshPrompter.none());
        trustAuthority("127.0.0.1");
        connects(server, SshPrompter.none());
    }

    @Test
    void aCertificateIsNotTrustedForOtherHostsOrTimesOrFromOthers() throws Exception {
        var server = certified("-n", "other.example");
        trustAuthority("*");
        refuses(server, SshPrompter.none());
        lab.configure("HostKeyAlias other.example");
        connects(server, SshPrompter.none());
        trustAuthority("*.elsewhere");
        assertThat(SshLab.failure(lab.target(server, agent, SshPrompter.none())).kind()).isEqualTo(Kind.NOT_REACHED);
    }

    @Test
    void anExpiredCertificateIsNotTrustedButItsKeyMayBe() throws Exception {
        var server = certified("-n", "127.0.0.1", "-V", "20200101:20200102");
        trustAuthority("*");
        refuses(server, SshPrompter.none());
        Files.writeString(lab.knownHosts(), server.knownHostsLine("ed25519"), java.nio.file.StandardOpenOption.APPEND);
        connects(server, SshPrompter.none());
    }

    @Test
    void aRevokedAuthorityIsNotTrusted() throws Exception {
        var server = certified("-n", "127.0.0.1");
        trustAuthority("*");
        Files.writeString(lab.knownHosts(), "@revoked * " + Files.readString(lab.folder().resolve("ca.pub")),
                java.nio.file.StandardOpenOption.APPEND);
        assertThat(refuses(server, new ScriptedPrompter(HostKeyAnswer.ONCE))).hasMessageContaining("revokes");
    }

    /** Keys are exchanged anew in long connections. */
    @Test
    void exchangingKeysAgainAsksNobodyAgain() throws Exception {
        var server = lab.server("a", "RekeyLimit 64K\n");
        var prompter = new ScriptedPrompter(HostKeyAnswer.ONCE);
        try (Agent connected = lab.target(server, agent, prompter).connect()) {
            for (int i = 0; i < 3000; i++) {
                connected.processes();
            }
        }
        assertThat(prompter.keys).hasSize(1);
        assertThat(Files.readString(server.log()).split("SSH2_MSG_NEWKEYS received", -1).length - 1).isGreaterThan(1);
    }

    @Test
    void anUnreadableKnownHostsFileTrustsNobody() throws Exception {
        var server = lab.server("a", "");
        Files.delete(lab.knownHosts());
        try (var file = new java.io.RandomAccessFile(lab.knownHosts().toFile(), "rw")) {
            file.setLength((64L << 20) + 1); // a hole: takes no space
        }
        assertThat(refuses(server, new ScriptedPrompter(HostKeyAnswer.ONCE))).hasMessageContaining("known hosts can't be read");
    }
}
