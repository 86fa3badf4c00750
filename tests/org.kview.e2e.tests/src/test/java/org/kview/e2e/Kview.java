// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the product as built, as a user would. */
final class Kview {
    private static final Path LAUNCHER = Path.of(System.getProperty("kview.launcher"));
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    /**
     * A command lives for seconds: of the processor time of all of them, the optimising compiler takes nearly half. Where it is judged
     * how fast the product is, it has that as its users do.
     */
    private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private Kview() {
    }

    /** How a command ended. */
    record Result(int exitCode, String output, String errors) {
    }

    static Result run(Path workingDirectory, String... arguments) throws IOException, InterruptedException {
        return run(workingDirectory, Map.of(), arguments);
    }

    static Result run(Path workingDirectory, Map<String, String> variables, String... arguments) throws IOException, InterruptedException {
        var output = Files.createTempFile("kview", ".out");
        var errors = Files.createTempFile("kview", ".err");
        try {
            var builder = builder(workingDirectory, arguments);
            builder.environment().putAll(variables);
            var process = builder.redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("kview " + String.join(" ", arguments) + " did not end within " + PATIENCE + "; it said: " + Files.readString(errors));
            }
            return new Result(process.exitValue(), Files.readString(output), Files.readString(errors));
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }

    /** As its users have it. */
    static ProcessBuilder asShipped(ProcessBuilder builder) {
        builder.environment().remove("KVIEW_JVM_OPTIONS");
        return builder;
    }

    /** For what needs the process itself, such as ending it with a signal. */
    static ProcessBuilder builder(Path workingDirectory, String... arguments) {
        // A shell starts its background jobs with SIGINT ignored, which a program keeps: Ctrl-C would be untestable.
        var command = new ArrayList<>(List.of("env", "--default-signal=INT,HUP", LAUNCHER.toString()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(workingDirectory.toFile());
        builder.environment().put("KVIEW_JVM_OPTIONS", SHORT_LIVED);
        builder.environment().put("XDG_STATE_HOME", System.getProperty("kview.state"));
        builder.environment().put("KVIEW_AGENT", System.getProperty("kview.agent"));
        builder.environment().put("KVIEW_WORKLOADS", System.getProperty("kview.workloads"));
        return builder;
    }
}
