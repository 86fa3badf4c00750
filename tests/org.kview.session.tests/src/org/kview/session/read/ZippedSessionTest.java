// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencySnapshot;
import org.kview.model.SessionInfo.State;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.files.FileTree;
import org.kview.session.write.SessionWriter;

class ZippedSessionTest {
    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

    @TempDir
    Path temp;

    private Path folder;
    private LatencySnapshot written;

    @BeforeEach
    void recordASession() throws SessionException {
        folder = temp.resolve("a.kview");
        SampleRecording recording = new SampleRecording(SampleRecording.functions());
        try (SessionWriter writer = SessionWriter.create(folder, SampleRecording.INFO, SampleRecording.functions(),
                Optional.of(SampleRecording.METADATA))) {
            writer.append(recording.interval(20));
            writer.appendPacket(0, SampleRecording.packet(0, 3, 0), 3);
            writer.finish(State.STOPPED, "", Optional.empty());
            written = writer.snapshot();
        }
    }

    private Path zip(String prefix, String... extraNames) throws IOException {
        Path zip = temp.resolve("a.kview.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip));
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new ZipEntry(prefix + folder.relativize(file)));
                Files.copy(file, out);
            }
            for (String name : extraNames) {
                out.putNextEntry(new ZipEntry(name));
                out.write("#!/bin/sh\ntouch /tmp/owned\n".getBytes());
            }
        }
        return zip;
    }

    private static List<Path> leftBehind() throws IOException {
        try (Stream<Path> files = Files.list(TEMPORARY)) {
            return files.filter(p -> p.getFileName().toString().startsWith("kview-temporary-")).toList();
        }
    }

    @Test
    void opensAsTheFolderDoes() throws Exception {
        List<Path> before = leftBehind();
        for (String prefix : List.of("", "a.kview/", "some/folders/a.kview/")) {
            try (SessionReader reader = SessionReader.open(zip(prefix))) {
                assertThat(reader.snapshot()).isEqualTo(written);
                assertThat(reader.trace().orElseThrow().resolve("cpu_0"))
                        .hasSameBinaryContentAs(folder.resolve("trace/cpu_0"));
            }
        }
        assertThat(leftBehind()).isEqualTo(before);
    }

    @Test
    void aFolderThatTheEndOfTheProgramRemovedDoesNotComeBack() throws Exception {
        Path zip = zip("a.kview/");
        Path unpacked = Files.createDirectory(temp.resolve("unpacked"));
        assertThatThrownBy(() -> SessionZip.unpack(zip, unpacked, (done, total) -> {
            FileTree.delete(unpacked);
            return true;
        })).isInstanceOf(SessionException.class).hasMessageContaining("can't be unpacked");
        assertThat(unpacked).doesNotExist();
    }

    @Test
    void namesThatLeaveTheFolderAreNotFollowed() throws Exception {
        Path zip = zip("a.kview/", "a.kview/../../evil", "../session.json.exe", "a.kview/trace/../../../cpu_9",
                "/etc/kview-test", "a.kview/trace/cpu_1/../../x", "C:\\session.txt", "a.kview/run.sh");
        try (SessionReader reader = SessionReader.open(zip)) {
            assertThat(reader.snapshot()).isEqualTo(written);
            Path unpacked = reader.trace().orElseThrow().getParent();
            try (Stream<Path> files = Files.walk(unpacked)) {
                assertThat(files.filter(Files::isRegularFile).map(f -> unpacked.relativize(f).toString()))
                        .containsExactlyInAnyOrder("session.json", "symbols.json", "latency.hlog", "trace/metadata",
                                "trace/cpu_0", "packets.crc32");
            }
        }
        assertThat(TEMPORARY.resolve("evil")).doesNotExist();
        assertThat(TEMPORARY.resolve("cpu_9")).doesNotExist();
    }

    @Test
    void namesThatWouldBeTheSessionsElsewhereAreAnotherSession() throws Exception {
        assertThatThrownBy(() -> SessionReader.open(zip("a.kview/", "../latency.hlog")))
                .isInstanceOf(SessionException.class).hasMessageContaining("more than one session");
    }

    @Test
    void aBombIsNotUnpacked() throws Exception {
        List<Path> before = leftBehind();
        Path zip = temp.resolve("bomb.kview.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("session.json"));
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 400; i++) {
                out.write(zeros);
            }
        }
        assertThat(Files.size(zip)).isLessThan(1 << 20);
        assertThatThrownBy(() -> SessionReader.open(zip)).isInstanceOf(SessionException.class)
                .hasMessageContaining("bomb.kview.zip").hasMessageContaining("hundred times");
        assertThat(leftBehind()).isEqualTo(before);
    }

    @Test
    void whatIsNoSessionIsSaid() throws Exception {
        Path zip = temp.resolve("b.kview.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("readme.txt"));
        }
        assertThatThrownBy(() -> SessionReader.open(zip)).isInstanceOf(SessionException.class)
                .hasMessageContaining("holds no session");
        try (OutputStream out = Files.newOutputStream(zip)) {
            out.write(new byte[5000]);
        }
        assertThatThrownBy(() -> SessionReader.open(zip)).isInstanceOf(SessionException.class)
                .hasMessageContaining("no zip file");
    }

    @Test
    void cutOffAnywhereItIsRefusedWithASentence() throws Exception {
        byte[] bytes = Files.readAllBytes(zip("a.kview/"));
        Path cut = temp.resolve("cut.kview.zip");
        for (int length = 0; length < bytes.length; length += 37) {
            Files.write(cut, Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> SessionReader.open(cut)).isInstanceOf(SessionException.class)
                    .hasMessageContaining("cut.kview.zip");
        }
    }
}
