// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A command that runs, with what it has said so far; ended with the test, come what may. */
record Running(Process process, Path output, Path errors) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    static Running start(ProcessBuilder builder) throws IOException {
        Path output = Files.createTempFile("kview", ".out");
        Path errors = Files.createTempFile("kview", ".err");
        return new Running(builder.redirectOutput(output.toFile()).redirectError(errors.toFile()).start(), output,
                errors);
    }

    static Running kview(Path workingDirectory, String... arguments) throws IOException {
        return start(Kview.builder(workingDirectory, arguments));
    }

    /** Waits until it has said something on standard error. */
    Running awaitSaid(String text) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.readString(errors).contains(text)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new AssertionError("It never said '" + text + "', but: " + Files.readString(errors));
            }
            Thread.sleep(20);
        }
        return this;
    }

    /** Waits for a file to be there: a step of the process that it tells nobody of. */
    static void awaitFile(Path file) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.exists(file)) {
            assertThat(System.nanoTime()).as("%s appears", file).isLessThan(end);
            Thread.sleep(20);
        }
    }

    long pid() {
        return process.pid();
    }

    Running signal(String name) throws IOException, InterruptedException {
        signal(pid(), name);
        return this;
    }

    static void signal(long pid, String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start().waitFor();
        assertThat(status).as("kill -%s %d", name, pid).isZero();
    }

    Kview.Result await() throws IOException, InterruptedException {
        return await(PATIENCE);
    }

    Kview.Result await(Duration patience) throws IOException, InterruptedException {
        if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("It did not end within " + patience + "; it said: " + Files.readString(errors));
        }
        return new Kview.Result(process.exitValue(), Files.readString(output), Files.readString(errors));
    }

    /** The agent that a command has started. */
    long agent() {
        return process.descendants().filter(p -> p.info().command().orElse("").endsWith("kview-agent"))
                .findFirst().orElseThrow(() -> new AssertionError("There is no agent")).pid();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        Files.delete(output);
        Files.delete(errors);
    }
}
