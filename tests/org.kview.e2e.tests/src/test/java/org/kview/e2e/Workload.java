// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The programs whose behaviour is known. */
final class Workload {
    static final Path FOLDER = Path.of(System.getProperty("kview.workloads")).toAbsolutePath().normalize();
    static final Path DEMO = FOLDER.resolve("kview-demo");
    static final Path CALLS = FOLDER.resolve("kview-calls");

    private Workload() {
    }

    /** Starts one that waits for {@link #go} before it calls anything. */
    static Running waiting(Path program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--wait"));
        command.addAll(List.of(arguments));
        return Running.start(new ProcessBuilder(command)).awaitSaid("waits for SIGUSR1");
    }

    /** The number of a program that waits. */
    static long pid(Running waiting) throws IOException {
        Matcher pid = Pattern.compile("process (\\d+) waits").matcher(Files.readString(waiting.errors()));
        assertThat(pid.find()).as("it says its number").isTrue();
        return Long.parseLong(pid.group(1));
    }

    static void go(Running workload) throws IOException {
        workload.process().getOutputStream().write('\n');
        workload.process().getOutputStream().flush();
    }
}
