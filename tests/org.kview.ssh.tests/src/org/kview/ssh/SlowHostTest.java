// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kview.ssh.SshPrompter.HostKeyAnswer;
import org.kview.testing.ScriptedPrompter;
import org.kview.testing.SshLab;

/** Waits for as long as an agent has to answer, a minute, and so beside what other classes do. */
@Order(1)
@Tag("slow")
class SlowHostTest extends LabTest {
    @Test
    void isNotToldThatSudoRefuses() throws Exception {
        String user = lab.addUser("*");
        Path bin = Files.createDirectory(lab.folder().resolve("slow"));
        Path sudo = Files.writeString(bin.resolve("sudo"), "#!/bin/sh\n[ \"$2\" = -l ] && exit 1\nexec cat >/dev/null\n");
        Files.setPosixFilePermissions(sudo, PosixFilePermissions.fromString("rwxr-xr-x"));
        var server = lab.server("a", "SetEnv PATH=" + bin + ":/usr/bin:/bin\n").trusted();
        assertThat(SshLab.failure(lab.target(user + "@127.0.0.1:" + server.port(), agent, new ScriptedPrompter(HostKeyAnswer.REFUSE))))
                .hasMessageContaining("did not answer within").hasMessageNotContaining("sudo");
    }
}
