// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.kview.testing.SshLab;

/** Real servers for each test, and a file that is brought to them as the agent. */
abstract class LabTest {
    SshLab lab;
    Path agent;

    @BeforeEach
    final void openLab() throws Exception {
        lab = new SshLab();
        agent = StubAgent.write(lab.folder(), "one");
    }

    @AfterEach
    final void closeLab() throws Exception {
        lab.close();
    }
}
