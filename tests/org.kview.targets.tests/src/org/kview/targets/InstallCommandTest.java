// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the command that an administrator is given, unchanged: what it copies as root comes from a user. */
@Timeout(300)
class InstallCommandTest {
    @TempDir
    private Path folder;
    private Path from;
    private byte[] agent;
    private InstalledAgent installed;
    private Path file;

    @BeforeEach
    void writeTheUsersFile() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/sudo")), "there is no sudo");
        assumeTrue(Files.isWritable(Path.of("/usr/local")), "not root");
        from = folder.resolve("a user's agent");
        agent = ("agent " + System.nanoTime()).getBytes();
        installed = InstalledAgent.of(agent);
        file = Path.of(installed.path());
    }

    @AfterEach
    void clean() throws Exception {
        if (file != null) {
            Files.deleteIfExists(file);
        }
    }

    private int run() throws Exception {
        return new ProcessBuilder("sh", "-c", installed.installCommand(from.toString())).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    }

    private void assertNothingIsLeft() {
        assertThat(file).doesNotExist();
        assertThat(file.resolveSibling(file.getFileName() + ".new")).doesNotExist();
    }

    @Test
    void theRightAgentIsInstalledAsRootsOwn() throws Exception {
        Files.write(from, agent);
        Files.setPosixFilePermissions(from, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(run()).isZero();
        assertThat(file).hasBinaryContent(agent);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rwxr-xr-x");
        assertThat(installed.isHere()).isTrue();
        assertThat(file.resolveSibling(file.getFileName() + ".new")).doesNotExist();
    }

    @Test
    void aLinkToAFileOfRootsGivesNothingAway() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "root's");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        Files.createSymbolicLink(from, secret);
        assertThat(run()).isNotZero();
        assertNothingIsLeft();
    }

    @Test
    void aFileWithoutEndFillsNoDisk() throws Exception {
        Files.createSymbolicLink(from, Path.of("/dev/zero"));
        assertThat(run()).isNotZero();
        assertNothingIsLeft();
    }

    /** Until its hash has been checked, only root may read the copy, whatever the administrator's umask is. */
    @Test
    void theCopyIsRootsUntilItsHashIsRight() {
        String command = installed.installCommand("/a");
        assertThat(command.indexOf("umask 077")).isPositive().isLessThan(command.indexOf("head -c"));
        assertThat(command.indexOf("sha256sum -c")).isLessThan(command.indexOf("chmod 0755"));
    }
}
