// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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

    /** How often its threads left a CPU, as far as the kernel could be asked before it ended. */
    static long switchesUntilEnd(Running workload) throws InterruptedException {
        long most = 0;
        while (workload.process().isAlive()) {
            long now = 0;
            try (Stream<Path> threads = Files.list(Path.of("/proc/" + workload.pid() + "/task"))) {
                for (Path thread : threads.toList()) {
                    now += Files.readAllLines(thread.resolve("status")).stream().filter(l -> l.contains("ctxt_switches"))
                            .mapToLong(l -> Long.parseLong(l.split("\\s+")[1])).sum();
                }
            } catch (IOException e) {
                // A thread or all of it has ended between two looks.
            }
            most = Math.max(most, now);
            Thread.sleep(20);
        }
        return most;
    }

    static void go(Running workload) throws IOException {
        workload.process().getOutputStream().write('\n');
        workload.process().getOutputStream().flush();
    }
}
