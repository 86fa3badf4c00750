// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherTest {
    @TempDir
    Path folder;

    @Test
    void versionGoesToStdoutAndNothingElse() throws Exception {
        var result = Kview.run(folder, "--version");
        assertThat(result.exitCode()).isZero();
        assertThat(result.output()).matches("Kview Workbench 1\\.0\\.0\\..*\\R");
        assertThat(result.errors()).isEmpty();
    }

    @Test
    void wrongArgumentsEndWithTwo() throws Exception {
        var result = Kview.run(folder, "no-such-command");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.output()).isEmpty();
        assertThat(result.errors()).contains("no-such-command");
    }

    /** Whatever a session holds, within so much it opens or is refused. */
    @Test
    void aReportTakesNoMoreMemoryThanItIsGiven() throws Exception {
        String tell = "-XX:+PrintCommandLineFlags";
        assertThat(Kview.run(folder, Map.of("KVIEW_JVM_OPTIONS", tell), "report", "none.kview").output())
                .contains("-XX:MaxHeapSize=" + 400 * 1024 * 1024 + " ");
        assertThat(Kview.run(folder, Map.of("KVIEW_JVM_OPTIONS", "-Xmx500m " + tell), "report", "none.kview").output())
                .contains("-XX:MaxHeapSize=" + 500 * 1024 * 1024 + " ");
    }

    @Test
    void helpNeedsNoDisplay() throws Exception {
        var result = Kview.run(folder, Map.of("DISPLAY", "", "WAYLAND_DISPLAY", ""), "open", "--help");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        assertThat(result.output()).contains("Usage: kview open");
    }

    @Test
    void argumentsThatEclipseKnowsReachTheCommand() throws Exception {
        var result = Kview.run(folder, "no-such-command", "-data", "x", "-vmargs", "-version");
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @Test
    void commandsRunSideBySide() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Kview.Result> version = () -> Kview.run(folder, "--version");
            for (var future : threads.invokeAll(IntStream.range(0, 4).mapToObj(i -> version).toList())) {
                assertThat(future.get().exitCode()).isZero();
                assertThat(future.get().errors()).isEmpty();
            }
        }
    }

    /** Java goes on without an archive that doesn't fit, unless told not to. */
    @Test
    void startsFromAnArchiveOfItsClasses() throws Exception {
        var result = Kview.run(folder, Map.of("KVIEW_JVM_OPTIONS", "-XX:AOTMode=on"), "--version");
        assertThat(result.errors()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }
}
