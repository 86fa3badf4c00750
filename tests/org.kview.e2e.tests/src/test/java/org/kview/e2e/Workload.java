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

    /** Runs a program, which ends with it, and tells what the kernel has counted of it. */
    private static final String COUNTED = """
            import ctypes, resource, signal, subprocess, sys
            ended = subprocess.run(sys.argv[1:], preexec_fn=lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL))
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            print('switches', used.ru_nvcsw + used.ru_nivcsw)
            sys.exit(ended.returncode)
            """;

    private Workload() {
    }

    /** Starts one that waits for {@link #go} before it calls anything. */
    static Running waiting(Path program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--wait"));
        command.addAll(List.of(arguments));
        return Running.start(new ProcessBuilder(command)).awaitSaid("waits for SIGUSR1");
    }

    /** Likewise one that says after its end how often its threads left a CPU, see {@link #switches}. */
    static Running waitingAndCounted(Path program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("python3", "-c", COUNTED, program.toString(), "--wait"));
        command.addAll(List.of(arguments));
        return Running.start(new ProcessBuilder(command)).awaitSaid("waits for SIGUSR1");
    }

    /** The number of a program that waits. */
    static long pid(Running waiting) throws IOException {
        Matcher pid = Pattern.compile("process (\\d+) waits").matcher(Files.readString(waiting.errors()));
        assertThat(pid.find()).as("it says its number").isTrue();
        return Long.parseLong(pid.group(1));
    }

    /** How often its threads left a CPU, as the kernel says of a process that has ended. */
    static long switches(Kview.Result ended) {
        Matcher switches = Pattern.compile("switches (\\d+)").matcher(ended.output());
        assertThat(switches.find()).as(ended.output()).isTrue();
        return Long.parseLong(switches.group(1));
    }

    static void go(Running workload) throws IOException {
        workload.process().getOutputStream().write('\n');
        workload.process().getOutputStream().flush();
    }
}
