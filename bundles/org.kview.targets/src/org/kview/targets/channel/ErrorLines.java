// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Reads an agent's standard error, so that the agent never blocks on it, and keeps the last line. */
final class ErrorLines {
    private static final int MAX_LINE = 500;

    private final Thread thread;
    private volatile String last = "";

    ErrorLines(InputStream errors) {
        thread = Thread.ofVirtual().name("kview-agent-errors").start(() -> read(errors));
    }

    /** The last line that is not blank, shortened if very long. Waits for the stream's end for at most the timeout. */
    Optional<String> lastAtEnd(Duration timeout) throws InterruptedException {
        thread.join(timeout);
        return last.isEmpty() ? Optional.empty() : Optional.of(last);
    }

    private void read(InputStream errors) {
        try (var lines = new BufferedReader(new InputStreamReader(errors, StandardCharsets.UTF_8))) {
            StringBuilder line = new StringBuilder();
            for (int c = lines.read(); c >= 0; c = lines.read()) {
                if (c == '\n') {
                    keep(line);
                } else if (line.length() < MAX_LINE) {
                    line.append((char) c);
                }
            }
            keep(line);
        } catch (IOException e) {
            // The stream was closed with the connection: what was read before counts.
        }
    }

    private void keep(StringBuilder line) {
        String text = line.toString().strip();
        line.setLength(0);
        if (!text.isEmpty()) {
            last = text;
        }
    }
}
