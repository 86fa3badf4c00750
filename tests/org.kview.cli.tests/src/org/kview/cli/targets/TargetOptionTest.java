// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

class TargetOptionTest {
    @Test
    void whereAnAgentStartsIsSaidOfOtherHosts() {
        assertThat(TargetOption.starting("local")).isEqualTo("starting the agent ...");
        assertThat(TargetOption.starting("web-3")).isEqualTo("starting the agent on web-3 ...");
    }

    @Test
    void aProgramHasThisShellsFolderAndEnvironmentOnThisMachineOnly() {
        List<String> command = List.of("./shop", "--port", "8080");
        assertThat(TargetOption.program("local", command)).satisfies(here -> {
            assertThat(here.arguments()).isEqualTo(command);
            assertThat(here.environment()).isEqualTo(System.getenv());
            assertThat(here.workingDirectory()).isEqualTo(Path.of("").toAbsolutePath().toString());
        });
        assertThat(TargetOption.program("web-3", command)).satisfies(there -> {
            assertThat(there.arguments()).isEqualTo(command);
            assertThat(there.environment()).isEmpty();
            assertThat(there.workingDirectory()).isEmpty();
        });
    }
}
