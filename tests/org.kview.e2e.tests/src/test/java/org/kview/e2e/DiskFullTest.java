// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that fills up ends a recording, and takes nothing away from what was recorded. */
class DiskFullTest {
    @TempDir
    private Path folder;

    @Test
    void whatFitsIsKeptAndTheRestIsCounted() throws Exception {
        onASmallDisk(Kview::builder);
    }

    @Test
    void theSameOfAnotherHost(@TempDir Path host) throws Exception {
        try (SshServer server = SshServer.start(host, "")) {
            onASmallDisk((directory, arguments) -> server.kview(directory, Stream.concat(Stream.of(arguments).limit(1),
                    Stream.concat(Stream.of("--target", server.target()), Stream.of(arguments).skip(1))).toArray(String[]::new)));
            RemoteTargetTest.awaitNoAgent(server);
        }
    }

    private interface Command {
        ProcessBuilder of(Path directory, String... arguments);
    }

    private void onASmallDisk(Command kview) throws Exception {
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=1500k", "kview-test", folder.toString()) == 0,
                "no small disk can be mounted here");
        try (Running recording = Running.start(kview.of(folder, "record", "--probe", "kview-calls:counted_call",
                "--budget", "none", "--events", "-o", "full.kview", "--", Workload.CALLS.toString(), "--rate", "100000", "--seconds", "600"))) {
            Kview.Result result = recording.await();
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.errors()).contains("disk is full").contains("is kept");
            assertThat(result.output()).contains("full.kview");

            Session session = Session.read(folder.resolve("full.kview"));
            Session.Function calls = session.function("counted_call");
            CtfTrace trace = CtfTrace.read(folder.resolve("full.kview/trace"));
            assertThat(calls.calls()).isPositive();
            assertThat(trace.callEvents()).isPositive();
            assertThat(session.loss("events_dropped")).as("events that are not in the trace, calls at least")
                    .isGreaterThanOrEqualTo(calls.calls() + calls.returned() - trace.callEvents()).isPositive();
            assertThat(session.json().path("problems")).isNotEmpty();
        } finally {
            assertThat(run("umount", "-l", folder.toString())).isZero();
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start().waitFor();
    }
}
