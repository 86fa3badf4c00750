// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SshRehearsalTest {
    @TempDir
    Path folder;

    @Test
    void goesOnUntilTheServerShouldRunSomething() throws Exception {
        assertThat(SshRehearsal.connect(folder)).startsWith("The host rehearsal@127.0.0.1:").contains("did not run a simple command");
    }
}
