// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartTest {
    @TempDir
    Path folder;

    private Path launcher() throws Exception {
        Path launcher = Files.writeString(folder.resolve("my launcher"), "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"" + folder + "/told\"\n");
        return Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
    }

    /** Its workspace is in use until then. */
    @Test
    void theNextWorkbenchStartsWhenThisOneHasEnded() throws Exception {
        Process old = new ProcessBuilder("cat").start();
        Process next = Restart.start(launcher(), old.pid(), Optional.of(Path.of("/tmp/a b.kview")));
        assertThat(next.isAlive()).isTrue();
        assertThat(folder.resolve("told")).doesNotExist();
        old.getOutputStream().close();
        assertThat(next.waitFor()).isZero();
        assertThat(old.isAlive()).isFalse();
        assertThat(folder.resolve("told")).hasContent("open\n/tmp/a b.kview");
    }

    /** Who started it may never ask what became of it, as the first process of some containers. */
    @Test
    void oneThatHasEndedIsNotWaitedForThoughItIsStillListed() throws Exception {
        // The shell's child ends, and the program that takes the shell's place does not know of it.
        Process parent = new ProcessBuilder("sh", "-c", "true & echo $!; exec cat").start();
        try (var told = parent.inputReader()) {
            long ended = Long.parseLong(told.readLine());
            assertThat(Restart.start(launcher(), ended, Optional.empty()).waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(Path.of("/proc", Long.toString(ended))).exists();
            assertThat(folder.resolve("told")).exists();
        } finally {
            parent.destroy();
        }
    }

    @Test
    void oneThatDoesNotEndIsNotWaitedForForEver() throws Exception {
        Process old = new ProcessBuilder("cat").start();
        try {
            assertThat(Restart.start(launcher(), old.pid(), 1, Optional.empty()).waitFor()).isEqualTo(1);
            assertThat(folder.resolve("told")).doesNotExist();
        } finally {
            old.destroy();
        }
    }

    @Test
    void withoutASessionNoneIsOpened() throws Exception {
        Process old = new ProcessBuilder("true").start();
        old.waitFor();
        assertThat(Restart.start(launcher(), old.pid(), Optional.empty()).waitFor()).isZero();
        assertThat(folder.resolve("told")).content().isBlank();
    }
}
