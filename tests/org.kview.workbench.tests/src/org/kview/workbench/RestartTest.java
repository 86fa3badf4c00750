// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

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

    @Test
    void withoutASessionNoneIsOpened() throws Exception {
        Process old = new ProcessBuilder("true").start();
        old.waitFor();
        assertThat(Restart.start(launcher(), old.pid(), Optional.empty()).waitFor()).isZero();
        assertThat(folder.resolve("told")).content().isBlank();
    }
}
