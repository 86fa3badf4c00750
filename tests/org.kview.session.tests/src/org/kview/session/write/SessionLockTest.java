// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.session.SessionException;
import org.kview.session.format.SessionFiles;
import org.kview.session.format.SessionLock;

/** One folder has one writer, and waiting for one folder's disk is no other folder's affair. */
class SessionLockTest {
    @TempDir
    Path temp;

    private Path folder(String name) throws Exception {
        return Files.createDirectory(temp.resolve(name));
    }

    /** Opening a named pipe without a reader waits, as a file does on a disk that hangs. */
    @Test
    void aFolderThatHangsHoldsUpNoOther() throws Exception {
        Path hanging = folder("hanging");
        Path pipe = hanging.resolve(SessionFiles.LOCK);
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        CompletableFuture<Void> taken = new CompletableFuture<>();
        Thread taker = Thread.ofPlatform().daemon().start(() -> {
            try (SessionLock _ = SessionLock.take(hanging)) {
                taken.complete(null);
            } catch (Exception e) {
                taken.completeExceptionally(e);
            }
        });
        while (Arrays.stream(taker.getStackTrace()).noneMatch(SessionLockTest::opens)) {
            assertThat(taker.isAlive()).isTrue();
            Thread.onSpinWait();
        }
        Path other = folder("other");
        try {
            assertThat(CompletableFuture.supplyAsync(() -> {
                try (SessionLock _ = SessionLock.claim(other)) {
                    return SessionLock.isHeld(other);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }).get(1, TimeUnit.MINUTES)).isTrue();
            assertThat(taken).isNotDone();
        } finally {
            Files.newByteChannel(pipe, StandardOpenOption.READ).close();
        }
        taken.get(1, TimeUnit.MINUTES);
    }

    @Test
    void ofManyWhoTakeItAtOnceOneHasIt() throws Exception {
        Path folder = folder("a.kview");
        for (int round = 0; round < 50; round++) {
            List<SessionLock> locks = new ArrayList<>();
            try (var threads = Executors.newFixedThreadPool(4)) {
                var takes = threads.invokeAll(List.<Callable<Object>>of(() -> SessionLock.take(folder), () -> SessionLock.take(folder),
                        () -> SessionLock.isHeld(folder), () -> SessionLock.isHeld(folder)));
                for (var take : takes) {
                    try {
                        if (take.get() instanceof SessionLock lock) {
                            locks.add(lock);
                        }
                    } catch (ExecutionException e) {
                        assertThat(e.getCause()).isInstanceOf(SessionException.class).hasMessageContaining("being recorded");
                    }
                }
            }
            assertThat(locks).hasSize(1);
            assertThat(SessionLock.isHeld(folder)).isTrue();
            locks.getFirst().close();
            assertThat(SessionLock.isHeld(folder)).isFalse();
        }
    }

    private static boolean opens(StackTraceElement frame) {
        return frame.getClassName().endsWith("UnixNativeDispatcher") && frame.getMethodName().equals("open0");
    }

    /** Closing the file would release the lock, so another process says whether it is still there. */
    @Test
    void lookingDoesNotReleaseIt() throws Exception {
        Path folder = folder("a.kview");
        try (SessionLock _ = SessionLock.take(folder)) {
            assertThat(SessionLock.isHeld(temp.resolve("../" + temp.getFileName() + "/a.kview"))).isTrue();
            assertThatThrownBy(() -> SessionLock.take(folder)).isInstanceOf(SessionException.class);
            assertThat(lockedForOthers(folder)).isTrue();
        }
        Files.createFile(folder.resolve(SessionFiles.LOCK));
        assertThat(lockedForOthers(folder)).isFalse();
    }

    private static boolean lockedForOthers(Path folder) throws Exception {
        Process other = new ProcessBuilder("python3", "-c", """
                import fcntl, sys
                try:
                    fcntl.lockf(open(sys.argv[1], "r+"), fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    sys.exit(3)
                """, folder.resolve(SessionFiles.LOCK).toString()).start();
        int status = other.waitFor();
        assertThat(status).isIn(0, 3);
        return status == 3;
    }
}
