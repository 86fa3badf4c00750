// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteHostTest {
    /** The name becomes part of a sudoers line that an administrator is told to add. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"alice|alice", "www-data|www-data", "first.last|first.last",
            "mal ALL=(ALL) NOPASSWD: ALL #|#1000", "%wheel|#1000", "#0|#1000", "ALL|#1000", "a,b|#1000", "-x|#1000",
            "EXAMPLE\\\\alice|#1000"})
    void aNameThatIsNoPlainOneIsItsNumber(String said, String used) throws Exception {
        assertThat(host(said).user()).isEqualTo(used);
    }

    private static RemoteHost host(String user) throws Exception {
        String output = String.join("\n", List.of(AgentScripts.MARKER, "Linux", "x86_64", "6.1.0", "1000", user, "/home/a", "", ""));
        return RemoteHost.parse("host", new RemoteShell.Result(0, output, ""));
    }
}
