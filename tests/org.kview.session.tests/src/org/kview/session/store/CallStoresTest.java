// SPDX-License-Identifier: EPL-2.0
package org.kview.session.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.session.read.SessionReader.HostEvents;

/** Where stores of calls are kept, and which of them are used. */
class CallStoresTest {
    @TempDir
    Path temp;

    private Path folder;
    private CallStores stores;
    private SessionReader session;
    private HostEvents events;

    @BeforeEach
    void open() throws Exception {
        folder = temp.resolve("cache/calls");
        stores = CallStores.in(folder, Long.MAX_VALUE);
        Path zip = temp.resolve("demo.kview.zip");
        try (InputStream in = SampleRecording.class.getResourceAsStream("report/data/demo.kview.zip")) {
            Files.copy(in, zip);
        }
        session = SessionReader.open(zip);
        events = session.events().getFirst();
    }

    @AfterEach
    void close() {
        session.close();
    }

    private List<String> files() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void build() throws Exception {
        stores.build(events, _ -> true).orElseThrow().close();
    }

    @Test
    void theyAreTheUsersOwn() throws Exception {
        assertThat(stores.open(events)).isEmpty();
        assertThat(folder).doesNotExist();
        build();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))).isEqualTo("rwx------");
        assertThat(files()).containsExactly(events.identity() + ".calls", events.identity() + ".lock");
    }

    /** Another user could tell wrong figures by it. */
    @Test
    void aFolderThatOthersMayWriteToIsNotUsed() throws Exception {
        build();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwx---"));
        assertThat(stores.open(events)).isEmpty();
        assertThatThrownBy(this::build).isInstanceOf(SessionException.class).hasMessageContaining("others may write to it");
    }

    @Test
    void whatIsCancelledLeavesNoStore() throws Exception {
        assertThatThrownBy(() -> stores.build(events, _ -> false)).isInstanceOf(CancellationException.class);
        assertThat(files()).containsExactly(events.identity() + ".lock");
        build();
    }

    /** That reads all of it, which may take long. */
    @Test
    void comparingOneWithItsChecksumsCanBeCancelled() throws Exception {
        build();
        assertThatThrownBy(() -> stores.build(events, _ -> false)).isInstanceOf(CancellationException.class);
        assertThat(files()).as("it stays").contains(events.identity() + ".calls");
        build();
    }

    /** A program that was killed while it built one. */
    @Test
    void aBeginningIsReplaced() throws Exception {
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(folder.resolve(events.identity() + ".part"), "beginning");
        build();
        assertThat(files()).containsExactly(events.identity() + ".calls", events.identity() + ".lock");
    }

    @Test
    void whatIsBeingBuiltIsNotBuiltTwice() throws Exception {
        build();
        Path store = folder.resolve(events.identity() + ".calls");
        Files.delete(store);
        try (FileChannel channel = FileChannel.open(folder.resolve(events.identity() + ".lock"), StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThat(stores.build(events, _ -> true)).isEmpty();
            assertThat(store).doesNotExist();
        }
        build();
    }

    /** Of a process of any container: by its number it could not be told from others. */
    @Test
    void whatAFollowerLeftThatWasKilledIsRemovedByTheNext() throws Exception {
        stores.scratch().close();
        assertThat(files()).isEmpty();
        Path left = Files.writeString(folder.resolve("live-left"), "left");
        Path used = Files.writeString(folder.resolve("live-used"), "used");
        Process follower = new ProcessBuilder("python3", "-c", "import fcntl, sys\nfile = open(sys.argv[1], 'r+')\n"
                + "fcntl.lockf(file, fcntl.LOCK_EX)\nprint('locked', flush=True)\nsys.stdin.read()", used.toString()).start();
        try (var said = follower.inputReader()) {
            assertThat(said.readLine()).isEqualTo("locked");
            try (CallStores.Scratch own = stores.scratch(); CallStores.Scratch other = stores.scratch()) {
                assertThat(left).doesNotExist();
                assertThat(files()).as("both, and the other process's").hasSize(3).contains("live-used");
                assertThat(own.channel().size() + other.channel().size()).isZero();
                follower.destroyForcibly().waitFor();
                stores.scratch().close();
                assertThat(used).doesNotExist();
                assertThat(files()).hasSize(2);
            }
        } finally {
            follower.destroyForcibly();
        }
    }

    @Test
    void itIsKnownWhetherTheDiskHasRoom() throws Exception {
        build();
        assertThat(stores.hasRoom()).isTrue();
        assertThat(CallStores.in(folder, Long.MAX_VALUE, folder.toFile().getTotalSpace()).hasRoom()).isFalse();
        assertThat(CallStores.in(temp.resolve("none"), Long.MAX_VALUE).hasRoom()).as("there is no folder").isFalse();
    }

    @Test
    void thoseThatWereNotUsedForLongestAreRemoved() throws Exception {
        build();
        long bytes = Files.size(folder.resolve(events.identity() + ".calls"));
        Path old = Files.write(folder.resolve("old.calls"), new byte[100]);
        Path older = Files.write(folder.resolve("older.calls"), new byte[100]);
        Files.setLastModifiedTime(old, FileTime.fromMillis(2_000));
        Files.setLastModifiedTime(older, FileTime.fromMillis(1_000));
        Files.delete(folder.resolve(events.identity() + ".calls"));
        stores = CallStores.in(folder, bytes + 150);
        build();
        assertThat(older).doesNotExist();
        assertThat(old).exists();
        // Too large for the limit by itself: it stays, as it was made just now.
        Files.delete(folder.resolve(events.identity() + ".calls"));
        stores = CallStores.in(folder, 1);
        build();
        assertThat(files()).containsExactly(events.identity() + ".calls", events.identity() + ".lock");
    }

    @Test
    void aCopyHasTheStoreOfTheOriginal() throws Exception {
        build();
        Path copy = Files.copy(temp.resolve("demo.kview.zip"), temp.resolve("copy.kview.zip"));
        try (SessionReader other = SessionReader.open(copy)) {
            stores.open(other.events().getFirst()).orElseThrow().close();
        }
    }
}
