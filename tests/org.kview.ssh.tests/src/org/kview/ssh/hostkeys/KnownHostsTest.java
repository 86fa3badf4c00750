// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.hostkeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ssh.config.HostSettings;
import org.kview.ssh.config.SshConfig;
import org.kview.ssh.config.SshDestination;
import org.kview.ssh.config.SshEnvironment;

/** Compares with ssh-keygen: files that it made, and what it says about them. */
class KnownHostsTest {
    @TempDir
    private static Path keys;
    private static HostKey ed;
    private static HostKey otherEd;
    private static HostKey rsa;
    @TempDir
    Path folder;
    private Path first;
    private Path second;

    @BeforeAll
    static void makeKeys() throws Exception {
        ed = key("ed", "ed25519");
        otherEd = key("ed2", "ed25519");
        rsa = key("rsa", "rsa");
    }

    private static HostKey key(String name, String type) throws Exception {
        run("ssh-keygen", "-q", "-t", type, "-N", "", "-f", keys.resolve(name).toString());
        return HostKey.ofBase64(Files.readString(keys.resolve(name + ".pub")).split(" ")[1]);
    }

    @BeforeEach
    void nameFiles() {
        first = folder.resolve("known_hosts");
        second = folder.resolve("known_hosts2");
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static String line(String hosts, HostKey key) {
        return hosts + " " + key.type() + " " + key.base64() + " a comment\n";
    }

    private HostSettings host(String destination, String... options) throws Exception {
        Path config = folder.resolve("config");
        Files.writeString(config, "UserKnownHostsFile " + first + " " + second + "\nGlobalKnownHostsFile none\n"
                + String.join("\n", options) + "\n");
        return new SshConfig(new SshEnvironment(folder, "me",
                List.of(new SshEnvironment.ConfigFile(config, folder, false)), Map.of()))
                .resolve(SshDestination.parse(destination));
    }

    private HostKeyVerdict judge(String destination, HostKey key) throws Exception {
        return KnownHosts.read(List.of(first, second)).judge(host(destination), key);
    }

    @Test
    void fingerprintIsThatOfSshKeygen() throws Exception {
        assertThat(run("ssh-keygen", "-lf", keys.resolve("rsa.pub").toString())).contains(" " + rsa.fingerprint() + " ");
    }

    @Test
    void aKnownKeyIsTrustedAndAnotherOneOfItsTypeIsNot() throws Exception {
        Files.writeString(first, "# comment\n\nnonsense\nh x y\n" + line("a,h,b*", ed));
        assertThat(judge("h", ed)).isInstanceOf(HostKeyVerdict.Trusted.class);
        assertThat(judge("H", ed)).isInstanceOf(HostKeyVerdict.Trusted.class);
        assertThat(judge("bbb", ed)).isInstanceOf(HostKeyVerdict.Trusted.class);
        assertThat(judge("h", otherEd)).isInstanceOfSatisfying(HostKeyVerdict.Changed.class,
                changed -> assertThat(changed.known().place()).isEqualTo("line 5 of " + first));
        assertThat(judge("h", rsa)).isInstanceOfSatisfying(HostKeyVerdict.Unknown.class,
                unknown -> assertThat(unknown.others()).hasSize(1));
        assertThat(judge("c", ed)).isEqualTo(new HostKeyVerdict.Unknown(List.of()));
    }

    @Test
    void severalKeysAndSeveralFilesAddUp() throws Exception {
        Files.writeString(first, line("h", ed));
        Files.writeString(second, line("h", otherEd) + line("h", rsa));
        for (HostKey key : List.of(ed, otherEd, rsa)) {
            assertThat(judge("h", key)).isInstanceOf(HostKeyVerdict.Trusted.class);
        }
        assertThat(KnownHosts.read(List.of(first, second)).keyTypes(host("h"))).containsExactly("ssh-ed25519", "ssh-rsa");
    }

    @Test
    void portsArePartOfTheName() throws Exception {
        Files.writeString(first, line("[h]:2200", ed) + line("plain", rsa));
        assertThat(judge("h:2200", ed)).isInstanceOf(HostKeyVerdict.Trusted.class);
        assertThat(judge("h:2200", otherEd)).isInstanceOf(HostKeyVerdict.Changed.class);
        assertThat(judge("h", ed)).isInstanceOf(HostKeyVerdict.Unknown.class);
        assertThat(judge("h:2201", ed)).isInstanceOf(HostKeyVerdict.Unknown.class);
        // As with ssh, a known host may have the same key on another port.
        assertThat(judge("plain:99", rsa)).isInstanceOf(HostKeyVerdict.Trusted.class);
        assertThat(judge("plain:99", ed)).isInstanceOf(HostKeyVerdict.Unknown.class);
    }

    @Test
    void excludedNamesAreNotMeant() throws Exception {
        Files.writeString(first, line("*.example,!bad.example", ed));
        assertThat(judge("good.example", ed)).isInstanceOf(HostKeyVerdict.Trusted.class);
        assertThat(judge("bad.example", ed)).isInstanceOf(HostKeyVerdict.Unknown.class);
    }

    @Test
    void hashedNamesAreFound() throws Exception {
        Files.writeString(first, line("h", ed) + line("[h]:2200", rsa));
        run("ssh-keygen", "-H", "-f", first.toString());
        assertThat(Files.readString(first)).doesNotContain("h ssh").contains("|1|");
        assertThat(judge("h", ed)).isInstanceOf(HostKeyVerdict.Trusted.class);
        assertThat(judge("h:2200", rsa)).isInstanceOf(HostKeyVerdict.Trusted.class);
        assertThat(judge("h", otherEd)).isInstanceOf(HostKeyVerdict.Changed.class);
        assertThat(judge("i", ed)).isInstanceOf(HostKeyVerdict.Unknown.class);
    }

    @Test
    void revokedKeysAreNeverTrusted() throws Exception {
        Files.writeString(first, line("h", ed) + "@revoked " + line("*", ed));
        assertThat(judge("h", ed)).isInstanceOfSatisfying(HostKeyVerdict.Revoked.class,
                revoked -> assertThat(revoked.by().line()).isEqualTo(2));
        assertThat(KnownHosts.read(List.of(first)).judgeCertificate(host("h"), rsa, ed))
                .isInstanceOf(HostKeyVerdict.Revoked.class);
    }

    @Test
    void authoritiesSignForTheirHostsOnly() throws Exception {
        Files.writeString(first, "@cert-authority " + line("*.example", ed) + line("x.example", otherEd));
        KnownHosts known = KnownHosts.read(List.of(first));
        assertThat(known.judgeCertificate(host("a.example"), rsa, ed)).isInstanceOf(HostKeyVerdict.Trusted.class);
        assertThat(known.judgeCertificate(host("a.other"), rsa, ed)).isInstanceOf(HostKeyVerdict.Unknown.class);
        assertThat(known.judgeCertificate(host("a.example"), rsa, otherEd)).isInstanceOf(HostKeyVerdict.Unknown.class);
        // A key that only signs other keys is not a host's: as a plain key it is unknown.
        assertThat(known.judge(host("a.example"), ed)).isInstanceOf(HostKeyVerdict.Unknown.class);
    }

    @Test
    void anAliasReplacesNameAndPort() throws Exception {
        Files.writeString(first, line("alias", ed) + line("h", rsa));
        KnownHosts known = KnownHosts.read(List.of(first));
        assertThat(known.judge(host("h:77", "HostKeyAlias alias"), ed)).isInstanceOf(HostKeyVerdict.Trusted.class);
        assertThat(known.judge(host("h", "HostKeyAlias alias"), rsa)).isInstanceOf(HostKeyVerdict.Unknown.class);
    }

    @Test
    void whatIsAddedSshKeygenFinds() throws Exception {
        Files.writeString(first, line("other", rsa).stripTrailing());
        KnownHosts.add(host("h:2200"), ed);
        KnownHosts.add(host("i", "HashKnownHosts yes"), otherEd);
        assertThat(run("ssh-keygen", "-F", "[h]:2200", "-f", first.toString())).contains("line 2");
        assertThat(run("ssh-keygen", "-F", "i", "-f", first.toString())).contains("line 3").contains(otherEd.base64());
        assertThat(run("ssh-keygen", "-F", "other", "-f", first.toString())).contains("line 1");
        assertThat(Files.readAllLines(first).get(2)).startsWith("|1|");
    }

    @Test
    void aNewFileIsTheUsersAlone() throws Exception {
        first = folder.resolve("new/.ssh/known_hosts");
        KnownHosts.add(host("h"), ed);
        assertThat(Files.getPosixFilePermissions(first)).hasSize(2);
        assertThat(Files.getPosixFilePermissions(first.getParent())).hasSize(3);
        assertThat(judge("h", ed)).isInstanceOf(HostKeyVerdict.Trusted.class);
    }

    @Test
    void whatIsNoFileHoldsNothing() throws IOException {
        Files.createSymbolicLink(first, folder.resolve("nowhere"));
        assertThat(KnownHosts.read(List.of(first, Path.of("/dev/null"), folder))).isNotNull();
    }
}
