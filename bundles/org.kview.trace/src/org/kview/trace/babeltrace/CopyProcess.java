// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.babeltrace.Babeltrace;
import org.kview.model.SafeText;

/** The process that reads a trace, see {@link TraceCopier}. Safe for use by several threads. */
final class CopyProcess implements AutoCloseable {
    private static final int MOST_CAUSE_BYTES = 2000;
    private static final int MOST_CAUSE_CHARS = 400;

    private final Process process;
    private final Thread listener;
    private volatile Optional<String> failure = Optional.empty();
    private volatile boolean ended;

    private CopyProcess(Process process) {
        this.process = process;
        listener = Thread.ofVirtual().start(this::listen);
    }

    /**
     * Starts it. It needs a JVM's command beside this one's {@code java.home}.
     *
     * @param arguments see {@link TraceCopier}
     */
    static CopyProcess start(Path... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-Xmx256m", "-Xshare:auto", "-XX:+UseSerialGC", "-XX:ErrorFile=/dev/null",
                "-XX:-CreateCoredumpOnCrash"));
        String library = System.getProperty(Babeltrace.LIBRARY_PROPERTY);
        if (library != null) {
            command.add("-D" + Babeltrace.LIBRARY_PROPERTY + "=" + library);
        }
        command.addAll(List.of("-cp", place(CopyProcess.class) + ":" + place(Babeltrace.class), TraceCopier.class.getName()));
        for (Path argument : arguments) {
            command.add(argument.toAbsolutePath().toString());
        }
        return new CopyProcess(new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start());
    }

    /** The jar, or in a build the folder of classes. */
    private static Path place(Class<?> type) throws IOException {
        try {
            Path place = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
            Path built = place.resolve("target/classes");
            return Files.isDirectory(built) ? built : place;
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private void listen() {
        try (InputStream errors = process.getErrorStream()) {
            String printed = SafeText.lines(new String(errors.readNBytes(MOST_CAUSE_BYTES), StandardCharsets.UTF_8)).strip();
            errors.skip(Long.MAX_VALUE);
            int code = process.waitFor();
            if (code == TraceCopier.FAILED) {
                failure = Optional.of(SafeText.line(printed, MOST_CAUSE_CHARS));
            } else if (code != 0) {
                failure = Optional.of(SafeText.line("libbabeltrace2 ended its process"
                        + printed.lines().findFirst().map(line -> ": " + line).orElse(""), MOST_CAUSE_CHARS));
            }
        } catch (IOException e) {
            failure = Optional.of("What the process that reads the trace printed can't be read: " + SafeText.line("" + e.getMessage()));
        } catch (InterruptedException e) {
            failure = Optional.of("The process that reads the trace was not waited for");
        } finally {
            ended = true;
        }
    }

    boolean hasEnded() {
        return ended;
    }

    /** Waits for its end. */
    void join() throws InterruptedException {
        listener.join();
    }

    /** Why it did not read the trace to its end, once it has ended: a sentence without a full stop. */
    Optional<String> failure() {
        return failure;
    }

    /** Ends it. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
