// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

import org.kview.babeltrace.Babeltrace;
import org.kview.babeltrace.ReaderProcess;
import org.kview.model.SafeText;

/** The process that reads a trace, see {@link TraceCopier}. Safe for use by several threads. */
final class CopyProcess implements AutoCloseable {
    /** What GLib says as it ends the process, where it is GLib that finds no memory. */
    private static final String NO_MEMORY = "failed to allocate";
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
     * Starts it.
     *
     * @param arguments see {@link TraceCopier}
     */
    static CopyProcess start(String... arguments) throws IOException {
        return new CopyProcess(ReaderProcess.start(TraceCopier.class, List.of(Babeltrace.class), List.of(), List.of(arguments)));
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
                        + ": " + printed.lines().findFirst().filter(line -> !line.contains(NO_MEMORY)).orElse(ReaderProcess.ENDED_SILENTLY),
                        MOST_CAUSE_CHARS));
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
