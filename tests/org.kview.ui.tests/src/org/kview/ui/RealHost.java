// SPDX-License-Identifier: EPL-2.0
package org.kview.ui;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

import org.kview.targets.Agent;
import org.kview.testing.SshLab;
import org.kview.ui.targets.TargetService;

/** What tests that really record need of this machine; they are skipped where it is not there. */
public final class RealHost {
    private RealHost() {
    }

    /** The agent is built. */
    public static void assumeAgent() {
        assumeTrue(Files.isExecutable(Path.of(System.getProperty("kview.agent", ""))), "the agent is built");
        assumeTrue(SshLab.ROOT, "the agent runs as root");
    }

    /** Functions can be recorded here. */
    public static void assumeRecords() throws Exception {
        assumeAgent();
        try (Agent agent = Ui.get(TargetService::get).local().orElseThrow().target().connect()) {
            assumeTrue(agent.host().canRecord(), "this host can't record");
        }
    }

    /** A program of the workloads. */
    public static Path workload(String name) {
        Path program = Path.of(System.getProperty("kview.workloads", ""), name);
        assumeTrue(Files.isExecutable(program), "the workloads are built");
        return program;
    }

    public static Process start(Path program, String... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = program.toString();
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        return new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }
}
