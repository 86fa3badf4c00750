// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.session.SessionException;

class ReportFileTest {

    @TempDir
    Path temp;

    @Test
    void aFileIsReplacedAsAWhole() throws Exception {
        Path file = temp.resolve("r.html");
        ReportFile.write(file, "first");
        ReportFile.write(file, "second µs");
        assertThat(file).hasContent("second µs");
        assertThat(temp).isDirectoryContaining(p -> p.equals(file)).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void whatCantBeWrittenIsSaidInOneSentenceAndLeavesNothing() throws Exception {
        assertThatThrownBy(() -> ReportFile.write(temp, "x")).isInstanceOf(SessionException.class)
                .hasMessageContaining(temp.toString()).hasMessageEndingWith("it is a folder");
        Path missing = temp.resolve("no/such/folder/r.html");
        assertThatThrownBy(() -> ReportFile.write(missing, "x")).isInstanceOf(SessionException.class)
                .hasMessage("The report can't be written to " + missing + ": there is no folder " + missing.getParent());
        Path file = Files.writeString(temp.resolve("file"), "mine");
        assertThatThrownBy(() -> ReportFile.write(file.resolve("r.html"), "x")).isInstanceOf(SessionException.class);
        assertThat(temp).isDirectoryContaining(p -> p.equals(file));
        assertThat(file).hasContent("mine");
        assertThatThrownBy(() -> ReportFile.write(Path.of("/dev/full"), "x".repeat(100)))
                .isInstanceOf(SessionException.class).hasMessageContaining("the disk is full");
        try (var files = Files.list(temp)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void aDeviceIsWrittenToNotReplaced() throws Exception {
        ReportFile.write(Path.of("/dev/null"), "x");
        assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
    }

    @Test
    void aLinkStaysAndWhatItLeadsToIsWritten() throws Exception {
        Path file = Files.writeString(temp.resolve("kept.html"), "former");
        Path link = Files.createSymbolicLink(temp.resolve("r.html"), Path.of("kept.html"));
        ReportFile.write(link, "new");
        assertThat(link).isSymbolicLink().hasContent("new");
        assertThat(file).hasContent("new");
        // Whatever the standard output is here.
        Path output = Files.createSymbolicLink(temp.resolve("out"), Path.of("/proc/self/fd/1"));
        ReportFile.write(output, "");
        assertThat(output).isSymbolicLink();
    }

    @Test
    void whoCouldNotReadTheFormerReportCantReadTheNewOne() throws Exception {
        Path file = Files.writeString(temp.resolve("r.html"), "former");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        ReportFile.write(file, "new");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
    }
}
