// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said where calls can't be followed: on this machine there is no kview module. {@code Kernel612Test} has a host with it. */
class FlowTest {
    @TempDir
    private Path folder;

    @Test
    void aHostWithoutTheModuleCannotDoIt() throws Exception {
        try (Running workload = Workload.waiting(Workload.CALLS)) {
            Kview.Result result = Kview.run(folder, "flow", "--pid", "" + workload.pid(), "--syscall", "read");
            assertThat(result.exitCode()).as(result.errors()).isEqualTo(4);
            assertThat(result.errors()).containsIgnoringCase("kview module").hasLineCount(1);
            assertThat(result.output()).isEmpty();
        }
    }

    @Test
    void aProcessThatIsNotThereIsSaid() throws Exception {
        Kview.Result none = Kview.run(folder, "flow", "--process", "no-such-process", "--syscall", "read");
        assertThat(none.exitCode()).isEqualTo(1);
        assertThat(none.errors()).contains("no process named no-such-process");
    }
}
