// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A host with a kernel of its own: a guest of kernel/guest with an OpenSSH server on a loopback port. Its users: root,
 * kview (sudo without a password), plain (no sudo).
 */
record GuestHost(Path folder, Process process) implements AutoCloseable {
    /** An emulated host is some 20 times as slow as this one. */
    static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Path SCRIPTS = Path.of(System.getProperty("kview.guest"));

    /**
     * @param kernel  6.1 or 6.12
     * @param options of kernel/guest/ssh-host
     */
    static GuestHost boot(Path folder, String kernel, List<String> options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(SCRIPTS.resolve("ssh-host").toString(), folder.toString(), "--kernel", kernel));
        command.addAll(options);
        Process process = new ProcessBuilder(command)
                .redirectError(folder.resolve("ssh-host.log").toFile()).start();
        BufferedReader said = process.inputReader();
        String line = said.readLine();
        assertThat(line).as(Files.readString(folder.resolve("ssh-host.log"))).startsWith("ready ");
        return new GuestHost(folder, process);
    }

    /** Kview, with the guest known as "guest" to its SSH client. */
    Kview.Result kview(Path workingDirectory, String... arguments) throws IOException, InterruptedException {
        try (Running running = Running.start(builder(workingDirectory, arguments))) {
            return running.await(PATIENCE);
        }
    }

    ProcessBuilder builder(Path workingDirectory, String... arguments) {
        ProcessBuilder builder = Kview.builder(workingDirectory, arguments);
        builder.environment().put("KVIEW_SSH_CONFIG", folder.resolve("ssh_config").toString());
        return builder;
    }

    /** For a command that goes on in the guest; its input and output are the command's. */
    ProcessBuilder shell(String user, String line) {
        return new ProcessBuilder(SCRIPTS.resolve("ssh-run").toString(), folder.toString(), "--user", user, "--", line);
    }

    /** What a command in the guest says; it must succeed. */
    String run(String user, String line) throws IOException, InterruptedException {
        Process command = shell(user, line).redirectErrorStream(true).start();
        command.getOutputStream().close();
        String output = new String(command.getInputStream().readAllBytes());
        assertThat(command.waitFor()).as("%s: %s", line, output).isZero();
        return output;
    }

    /** Copies a program to /tmp of the guest. */
    void bring(Path program) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("scp", "-q", "-F", folder.resolve("ssh_config").toString(),
                program.toString(), "kview@guest:/tmp/"));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        // Where its kernel went wrong, what the kernel said stands there.
        assertThat(process.isAlive()).as("the guest still runs; %s", Files.readString(folder.resolve("ssh-host.log"))).isTrue();
        process.getOutputStream().close();
        assertThat(process.waitFor(PATIENCE.toMinutes(), TimeUnit.MINUTES)).as("the guest stops").isTrue();
    }
}
