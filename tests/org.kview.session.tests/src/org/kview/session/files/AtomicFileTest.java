/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
