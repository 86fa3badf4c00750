// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.session.store.CallStores;

/** The disk of the cache is full while a session's calls are stored. */
class StoresOnFullDiskTest {
    @TempDir
    Path temp;

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private static List<Path> left(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.toString().endsWith(".lock")).toList();
        }
    }

    /** What was stored gives its room back, as other things need it; where there is room again all are stored. */
    @Test
    void itIsSaidAndNothingIsLeft() throws Exception {
        Path disk = Files.createDirectory(temp.resolve("disk"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=40k", "tmpfs", disk.toString()) == 0, "needs root");
        Path demo = Demo.in(temp);
        CallStores stores = CallStores.in(disk.resolve("stores"), Long.MAX_VALUE);
        try (SessionReader session = SessionReader.open(demo)) {
            assertThatThrownBy(() -> SessionCallStore.of(session, demo, stores, _ -> true)).isInstanceOf(SessionException.class)
                    .hasMessage("A store of these calls can't be made in " + disk.resolve("stores") + ": the disk is full");
            assertThat(left(disk.resolve("stores"))).isEmpty();
            assertThat(run("mount", "-o", "remount,size=64m", disk.toString())).isZero();
            try (SessionCallStore store = SessionCallStore.of(session, demo, stores, _ -> true).orElseThrow()) {
                assertThat(store.ask(StoredSession::calls)).hasValueSatisfying(calls -> assertThat(calls).isPositive());
            }
            assertThat(left(disk.resolve("stores"))).hasSize(1);
        } finally {
            run("umount", disk.toString());
        }
    }
}
