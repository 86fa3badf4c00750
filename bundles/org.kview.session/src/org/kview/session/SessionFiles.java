/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The names within a session's folder. */
final class SessionFiles {
    static final String SESSION_JSON = "session.json";
    static final String SYMBOLS_JSON = "symbols.json";
    static final String LATENCY_LOG = "latency.hlog";
    static final String NOTES_JSON = "notes.json";
    static final String RESERVE = ".reserve";
    static final String LOCK = ".lock";
    static final String TRACE = "trace";
    static final String METADATA = "metadata";
    /** Beside the trace: readers of CTF take every file within it for a stream. */
    static final String PACKET_SUMS = "packets.crc32";
    static final String STREAM_PREFIX = "cpu_";
    static final String TEMPORARY_SUFFIX = ".tmp";

    private SessionFiles() {
    }

    /** Whether a file name in {@code trace/} is that of a stream. */
    static boolean isStream(String fileName) {
        return fileName.matches(STREAM_PREFIX + "[0-9]{1,5}");
    }

    /** Removes a folder that this program made, as far as that is possible. Follows no links. */
    static void deleteAll(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    // What can't be removed stays; the failure that led here is the one to tell.
                }
            });
        } catch (IOException | UncheckedIOException e) {
            // Likewise.
        }
    }
}
