// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.testing.SshLab;

/** Restrictions of a user's configuration, tried on a real server; ssh itself does the same each time. */
class RestrictionsTest extends LabTest {
    /** Writes the configuration, with a time-out that no server exceeds. */
    private void configure(String text) throws Exception {
        lab.configure(text + "\nConnectTimeout 120\n");
    }

    private int ssh(SshLab.Server server) throws Exception {
        return new ProcessBuilder("ssh", "-F", lab.config().toString(), "-o", "BatchMode=yes", "-p",
                Integer.toString(server.port()), "127.0.0.1", "true").redirectErrorStream(true)
                .redirectOutput(lab.folder().resolve("ssh.out").toFile()).start().waitFor();
    }

    private void connects(SshLab.Server server) throws Exception {
        try (Agent connected = lab.target(server, agent, SshPrompter.none()).connect()) {
            assertThat(connected.processes()).hasSize(1);
        }
        assertThat(ssh(server)).as("ssh agrees: " + Files.readString(lab.folder().resolve("ssh.out"))).isZero();
    }

    private TargetException refuses(SshLab.Server server) throws Exception {
        TargetException failure = SshLab.failure(lab.target(server, agent, SshPrompter.none()));
        assertThat(failure.kind()).isEqualTo(Kind.NOT_REACHED);
        assertThat(Files.readString(server.log())).doesNotContain("userauth-request");
        assertThat(ssh(server)).as("ssh agrees").isNotZero();
        return failure;
    }

    @Test
    void aRevokedHostKeyIsRefused() throws Exception {
        var server = lab.server("a", "").trusted();
        Path text = lab.folder().resolve("revoked");
        configure("RevokedHostKeys " + text);
        assertThat(refuses(server)).hasMessageContaining("can't be checked");
        Files.copy(lab.folder().resolve("id.pub"), text);
        connects(server);
        Files.writeString(text, Files.readString(Path.of(server.hostKey("ed25519") + ".pub")), java.nio.file.StandardOpenOption.APPEND);
        assertThat(refusesAfterLogins(server)).hasMessageContaining("RevokedHostKeys").hasMessageContaining("revokes");
        Path list = lab.folder().resolve("list");
        SshLab.run("ssh-keygen", "-q", "-k", "-f", list.toString(), server.hostKey("ed25519") + ".pub");
        configure("RevokedHostKeys " + list);
        assertThat(refusesAfterLogins(server)).hasMessageContaining("revokes");
    }

    private TargetException refusesAfterLogins(SshLab.Server server) throws Exception {
        Files.writeString(server.log(), "");
        return refuses(server);
    }

    @Test
    void aRevokedAuthorityOrCertificateIsRefused() throws Exception {
        Path ca = lab.makeKey("ca", "ed25519", "");
        Path key = lab.makeKey("a_ed25519", "ed25519", "");
        SshLab.run("ssh-keygen", "-q", "-s", ca.toString(), "-h", "-I", "a", "-n", "127.0.0.1", key + ".pub");
        var server = lab.server("a", "HostKey " + key + "\nHostCertificate " + key + "-cert.pub\n");
        Files.writeString(lab.knownHosts(), "@cert-authority * " + Files.readString(Path.of(ca + ".pub")));
        configure("");
        connects(server);
        Path list = lab.folder().resolve("list");
        for (Path revoked : List.of(Path.of(ca + ".pub"), Path.of(key + "-cert.pub"))) {
            SshLab.run("ssh-keygen", "-q", "-k", "-f", list.toString(), revoked.toString());
            configure("RevokedHostKeys " + list);
            assertThat(refusesAfterLogins(server)).as(revoked.toString()).hasMessageContaining("revokes");
        }
    }

    @Test
    void aCertificateSignedByAnotherAlgorithmIsRefused() throws Exception {
        Path ca = lab.makeKey("ca", "rsa", "");
        Path key = lab.makeKey("a_ed25519", "ed25519", "");
        SshLab.run("ssh-keygen", "-q", "-s", ca.toString(), "-h", "-I", "a", "-n", "127.0.0.1", key + ".pub");
        var server = lab.server("a", "HostKey " + key + "\nHostCertificate " + key + "-cert.pub\n");
        Files.writeString(lab.knownHosts(), "@cert-authority * " + Files.readString(Path.of(ca + ".pub")));
        configure("CASignatureAlgorithms ssh-ed25519");
        assertThat(refuses(server)).hasMessageContaining("CASignatureAlgorithms");
        configure("CASignatureAlgorithms rsa-sha2-512");
        connects(server);
    }

    @Test
    void onlyAllowedAlgorithmsAreUsed() throws Exception {
        var server = lab.server("a", "").trusted();
        for (var option : Map.of("Ciphers aes256-ctr", "cipher: aes256-ctr ", "MACs hmac-sha2-512\nCiphers aes128-ctr",
                "MAC: hmac-sha2-512 ", "KexAlgorithms ecdh-sha2-nistp384", "kex: algorithm: ecdh-sha2-nistp384",
                "Ciphers ^aes192-ctr", "cipher: aes192-ctr ").entrySet()) {
            configure(option.getKey() + "\n");
            Files.writeString(server.log(), "");
            connects(server);
            List<String> negotiated = Files.readString(server.log()).lines().filter(l -> l.contains("kex: ")
                    && l.contains(option.getValue().substring(0, option.getValue().lastIndexOf(": ") + 2))).toList();
            assertThat(negotiated).as(option.getKey()).isNotEmpty().allMatch(l -> l.contains(option.getValue()));
        }
    }

    /** As hosts have it that nobody configured; the servers of other tests do without. */
    @Test
    void theUsualKeyExchangeWithstandsQuantumComputers() throws Exception {
        var server = lab.server("a", SshLab.USUAL_KEY_EXCHANGE).trusted();
        configure("");
        connects(server);
        assertThat(Files.readString(server.log())).containsPattern("kex: algorithm: (sntrup761|mlkem768)x25519-sha");
    }

    /** A host that offers no algorithm that is allowed, and a configuration that allows none of the library's. */
    @Test
    void whatIsNotAllowedIsNotUsed() throws Exception {
        Path rsa = lab.makeKey("a_rsa", "rsa", "", "-b", "2048");
        var server = lab.server("a", "HostKey " + rsa + "\nCiphers aes128-ctr\nMACs hmac-sha2-256\nKexAlgorithms curve25519-sha256\n");
        Files.writeString(lab.knownHosts(), server.knownHostsLine("rsa"));
        configure("");
        connects(server);
        for (String option : List.of("Ciphers aes256-ctr", "MACs hmac-sha2-512", "KexAlgorithms ecdh-sha2-nistp256",
                "HostKeyAlgorithms ssh-ed25519", "RequiredRSASize 4096")) {
            configure(option + "\n");
            refusesAfterLogins(server);
        }
        configure("MACs umac-64@openssh.com\n");
        assertThat(SshLab.failure(lab.target(server, agent, SshPrompter.none()))).hasMessageContaining("MACs");
        for (String option : List.of("KnownHostsCommand /bin/true", "CheckHostIP yes", "BindAddress 127.0.0.1", "BindInterface lo")) {
            configure(option + "\n");
            assertThat(SshLab.failure(lab.target(server, agent, SshPrompter.none())))
                    .hasMessageContaining(option.substring(0, option.indexOf(' ')));
        }
    }

    @Test
    void onlyAddressesOfTheAllowedFamilyAreConnectedTo() throws Exception {
        var server = lab.server("a", "").trusted();
        configure("AddressFamily inet6\n");
        assertThat(refuses(server)).hasMessageContaining("no IPv6 address").hasMessageContaining("AddressFamily");
        assertThat(Files.readString(server.log())).doesNotContain("Connection from");
        for (String family : List.of("inet", "any")) {
            configure("AddressFamily " + family + "\n");
            connects(server);
        }
        configure("AddressFamily inet\n");
        assertThat(SshLab.failure(lab.target("[::1]:" + server.port(), agent, SshPrompter.none())))
                .hasMessageContaining("no IPv4 address").hasMessageContaining("AddressFamily");
    }

    @Test
    void onlyAllowedOwnKeysAreOffered() throws Exception {
        var server = lab.server("a", "").trusted();
        for (String option : List.of("PubkeyAcceptedAlgorithms rsa-sha2-512", "PubkeyAcceptedAlgorithms -ssh-ed25519*")) {
            configure(option + "\n");
            Files.writeString(server.log(), "");
            assertThat(SshLab.failure(lab.target(server, agent, SshPrompter.none()))).hasMessageContaining("PubkeyAcceptedAlgorithms");
            assertThat(Files.readString(server.log())).doesNotContain("method publickey");
            assertThat(ssh(server)).isNotZero();
        }
        configure("PubkeyAcceptedAlgorithms ssh-ed25519\n");
        connects(server);
    }

    @Test
    void aLocalCommandRunsWhereItIsPermitted() throws Exception {
        var server = lab.server("a", "").trusted();
        Path ran = lab.folder().resolve("ran");
        configure("LocalCommand echo %h:%p > " + ran + "\n");
        connects(server);
        assertThat(ran).doesNotExist();
        configure("PermitLocalCommand yes\nLocalCommand echo %h:%p > " + ran + "\n");
        lab.target(server, agent, SshPrompter.none()).connect().close();
        assertThat(ran).hasContent("127.0.0.1:" + server.port());
    }
}
