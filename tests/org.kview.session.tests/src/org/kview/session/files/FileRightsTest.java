// SPDX-License-Identifier: EPL-2.0
package org.kview.session.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileRightsTest {
    @TempDir
    Path folder;

    private Path file(String name, String rights) throws IOException {
        Path file = Files.writeString(folder.resolve(name), name);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    }

    private static String rights(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void theNewFileHasTheRightsOfTheFormer() throws Exception {
        Path temporary = file("new", "rw-------");
        FileRights.copy(file("former", "rw-r-----"), temporary);
        assertThat(rights(temporary)).isEqualTo("rw-r-----");
        FileRights.copy(folder.resolve("none"), temporary);
        assertThat(rights(temporary)).isEqualTo("rw-r-----");
    }

    /** Who owns the folder can put it there while another user, root for instance, writes the file. */
    @Test
    void whatALinkLeadsToKeepsItsRights() throws Exception {
        Path victim = file("victim", "rw-------");
        Path link = Files.createSymbolicLink(folder.resolve("new"), victim);
        Path former = file("former", "rw-rw-rw-");
        assertThatThrownBy(() -> FileRights.copy(former, link)).isInstanceOf(IOException.class);
        assertThat(rights(victim)).isEqualTo("rw-------");
        Path temporary = file("other", "rw-------");
        FileRights.copy(Files.createSymbolicLink(folder.resolve("to-former"), former), temporary);
        assertThat(rights(temporary)).isEqualTo("rw-------");
    }

    @Test
    void anotherGroupGetsNothing() throws Exception {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "only root can give a file to a group");
        Path former = file("former", "rw-rw-r--");
        Files.setAttribute(former, "unix:gid", 1);
        Path temporary = file("new", "rw-------");
        FileRights.copy(former, temporary);
        assertThat(rights(temporary)).isEqualTo("rw----r--");
    }
}
