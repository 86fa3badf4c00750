// SPDX-License-Identifier: EPL-2.0
package org.kview.session.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
    @TempDir
    Path temp;

    @Test
    void theNewFileIsThereAndNothingBesideIt() throws Exception {
        Path file = Files.writeString(temp.resolve("a"), "former");
        AtomicFile.replace(file, "new".getBytes());
        assertThat(file).hasContent("new");
        assertThat(temp).isDirectoryContaining(file::equals).isDirectoryNotContaining(p -> !p.equals(file));
    }

    @Test
    void whatCantBeReplacedIsLeftAndNothingBesideIt() throws Exception {
        Path folder = Files.createDirectories(temp.resolve("a/b")).getParent();
        assertThatThrownBy(() -> AtomicFile.replace(folder, "new".getBytes())).isInstanceOf(IOException.class);
        assertThat(folder.resolve("b")).isDirectory();
        assertThat(temp).isDirectoryNotContaining(p -> !p.equals(folder));
    }

    @Test
    void severalAtOnceDoNotMix() throws Exception {
        Path file = temp.resolve("a");
        List<FutureTask<Void>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            byte[] bytes = new byte[10_000];
            Arrays.fill(bytes, (byte) ('a' + i));
            FutureTask<Void> task = new FutureTask<>(() -> {
                AtomicFile.replace(file, bytes);
                return null;
            });
            all.add(task);
            Thread.ofVirtual().start(task);
        }
        for (FutureTask<Void> task : all) {
            task.get();
        }
        assertThat(Files.readString(file)).matches("(.)\\1{9999}");
        assertThat(temp).isDirectoryNotContaining(p -> !p.equals(file));
    }

    @Test
    void whatKilledWritersLeftGoesAndWhatOthersWriteStays() throws Exception {
        Path file = temp.resolve("a");
        long dead = 1L << 30; // more than a kernel gives
        Path left = old(temp.resolve("a." + dead + "-1.tmp"));
        List<Path> others = List.of(old(temp.resolve("a." + ProcessHandle.current().pid() + "-999999.tmp")),
                Files.writeString(temp.resolve("a." + dead + "-2.tmp"), "just now, on another host"),
                old(temp.resolve("b." + dead + "-1.tmp")), old(temp.resolve("a.b." + dead + "-1.tmp")),
                old(temp.resolve("a." + dead + "-1.tmp.kept")));
        AtomicFile.replace(file, "new".getBytes());
        assertThat(left).doesNotExist();
        assertThat(others).allMatch(Files::exists);
        assertThat(file).hasContent("new");
    }

    private static Path old(Path file) throws IOException {
        Files.writeString(file, "left");
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        return file;
    }

    @Test
    void aPrivateFileIsItsOwnersAndAFileKeepsItsRights() throws Exception {
        Path secret = temp.resolve("secret");
        AtomicFile.replacePrivate(secret, "1".getBytes());
        assertThat(rights(secret)).isEqualTo("rw-------");
        AtomicFile.replace(secret, "2".getBytes());
        assertThat(rights(secret)).isEqualTo("rw-------");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r-----"));
        AtomicFile.replacePrivate(secret, "3".getBytes());
        assertThat(rights(secret)).isEqualTo("rw-r-----");
        assertThat(secret).hasContent("3");
    }

    /** From the first byte on: the former file's readers alone may see the new one's contents. */
    @Test
    void nobodyElseReadsAFileThatReplacesAPrivateOne() throws Exception {
        Path file = temp.resolve("secret");
        AtomicFile.replacePrivate(file, "1".getBytes());
        List<String> seen = new ArrayList<>();
        Disk disk = new Disk() {
            @Override
            public SeekableByteChannel create(Path path) throws IOException {
                return Disk.REAL.create(path);
            }

            @Override
            public SeekableByteChannel createPrivate(Path path) throws IOException {
                return Disk.REAL.createPrivate(path);
            }

            @Override
            public void sync(Path path) throws IOException {
                seen.add(rights(path));
                Disk.REAL.sync(path);
            }
        };
        disk.replace(file, "2".getBytes());
        assertThat(seen).containsExactly("rw-------");
        assertThat(file).hasContent("2");
    }

    private static String rights(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void aTreeGoesAndWhatItLinksToStays() throws Exception {
        Path other = Files.createDirectories(temp.resolve("other"));
        Files.writeString(other.resolve("kept"), "");
        Path tree = Files.createDirectories(temp.resolve("tree/a/b")).getParent().getParent();
        Files.writeString(tree.resolve("a/file"), "");
        Files.createSymbolicLink(tree.resolve("link"), other);
        FileTree.delete(tree);
        FileTree.delete(tree);
        assertThat(tree).doesNotExist();
        assertThat(other.resolve("kept")).exists();
    }
}
